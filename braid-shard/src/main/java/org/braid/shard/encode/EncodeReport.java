package org.braid.shard.encode;

import java.util.List;
import org.braid.shard.report.ShardReport;

/**
 * The result of an encoding.
 *
 * @param file the file that was read
 * @param bytes its bytes
 * @param sha256 its SHA-256, in lower-case hex
 * @param code the name of the code
 * @param set the set's identity, in hex
 * @param cell bytes of a cell
 * @param directory the directory of the shards
 * @param shards the shards, their paths relative to the directory
 * @param bytesWritten bytes of all shards
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
