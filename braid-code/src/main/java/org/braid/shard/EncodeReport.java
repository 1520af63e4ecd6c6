package org.braid.shard;

import java.util.List;

/**
 * What was encoded.
 *
 * @param file the file that was read
 * @param bytes its bytes
 * @param sha256 its SHA-256, in lower-case hex
 * @param code the name of the code
 * @param set the set's identity, in hex
 * @param cell bytes of a cell
 * @param directory where the shards are
 * @param shards the shards, their paths relative to the directory
 * @param bytesWritten bytes of the shards together
 */
public record EncodeReport(
    String file,
    long bytes,
    String sha256,
    String code,
    String set,
    int cell,
    String directory,
    List<ShardReport> shards,
    long bytesWritten) {}
