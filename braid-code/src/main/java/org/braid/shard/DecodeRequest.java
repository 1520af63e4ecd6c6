package org.braid.shard;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Shards to restore a file from, or to repair.
 *
 * @param directory where they are, or in directories in it
 * @param out the file to write; without one, shards are only repaired
 * @param repair whether shards are repaired
 * @param existing what to do where out exists
 * @param set the first digits of the id of the set to take; needed only where several sets that can
 *     be restored are in the directory
 */
public record DecodeRequest(
    Path directory, Optional<Path> out, Repair repair, Existing existing, Optional<String> set) {
  /** What to do with missing and damaged shards. */
  public enum Repair {
    /** Nothing but to report them. */
    NOTHING,
    /** Write them anew. */
    SHARDS
  }

  /** Restores a file, changes no shard. */
  public static DecodeRequest restore(Path directory, Path out) {
    return new DecodeRequest(
        directory, Optional.of(out), Repair.NOTHING, Existing.KEEP, Optional.empty());
  }

  /** Repairs shards, writes no file. */
  public static DecodeRequest repair(Path directory) {
    return new DecodeRequest(
        directory, Optional.empty(), Repair.SHARDS, Existing.KEEP, Optional.empty());
  }

  public DecodeRequest withRepair(Repair how) {
    return new DecodeRequest(directory, out, how, existing, set);
  }

  public DecodeRequest withExisting(Existing how) {
    return new DecodeRequest(directory, out, repair, how, set);
  }

  public DecodeRequest withSet(String digits) {
    return new DecodeRequest(directory, out, repair, existing, Optional.of(digits));
  }
}
