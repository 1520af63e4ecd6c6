package org.braid.shard.decode;

import java.util.List;
import java.util.Optional;
import org.braid.shard.report.ShardReport;
import org.braid.shard.report.ShardState;
import org.braid.shard.report.UnusedFile;

/**
 * The result of decoding or repairing a set.
 *
 * @param problem why a part of the request is not done; empty when all is done
 * @param set the set that was used; empty when there was none
 * @param out the file that was written, if any
 * @param shards the shards of the set, with paths relative to the directory
 * @param others files in the directory that were not used
 * @param bytesRead bytes of shards that were read, without the headers read to find the set
 * @param bytesWritten bytes of the file and of the repaired shards
 */
public record DecodeReport(
    Optional<String> problem,
    Optional<Source> set,
    Optional<String> out,
    List<ShardReport> shards,
    List<UnusedFile> others,
    long bytesRead,
    long bytesWritten) {
  /**
   * A set of shards.
   *
   * @param id its identity, in hex
   * @param code the name of its code
   * @param name the name of the encoded file
   * @param bytes bytes of the file
   * @param sha256 SHA-256 of the file, in lower-case hex
   */
  public record Source(String id, String code, String name, long bytes, String sha256) {}

  /** The number of shards in a state. */
  public long count(ShardState state) {
    return shards.stream().filter(s -> s.state() == state).count();
  }
}
