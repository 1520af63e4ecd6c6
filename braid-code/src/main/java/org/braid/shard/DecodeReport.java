package org.braid.shard;

import java.util.List;
import java.util.Optional;

/**
 * What came of restoring or repairing.
 *
 * @param problem why not all that was asked for is done; empty when it is
 * @param set the set that was worked on; empty when there was none
 * @param out the file that was written; empty when none was
 * @param shards the shards of the set, their paths relative to the directory
 * @param others files that do not belong to the set
 * @param bytesRead bytes of shards that were read, headers of the first look left out
 * @param bytesWritten bytes of the file and of repaired shards
 */
public record DecodeReport(
    Optional<String> problem,
    Optional<Source> set,
    Optional<String> out,
    List<ShardReport> shards,
    List<OtherFile> others,
    long bytesRead,
    long bytesWritten) {
  /**
   * A set of shards.
   *
   * @param id its identity, in hex
   * @param code the name of its code
   * @param name the name of the file it was made from
   * @param bytes bytes of the file
   * @param sha256 SHA-256 of the file, in lower-case hex
   */
  public record Source(String id, String code, String name, long bytes, String sha256) {}

  /** How many shards are in a state. */
  public long count(ShardState state) {
    return shards.stream().filter(s -> s.state() == state).count();
  }
}
