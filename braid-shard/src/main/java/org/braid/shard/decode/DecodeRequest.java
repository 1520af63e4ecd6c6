package org.braid.shard.decode;

import java.nio.file.Path;
import java.util.Optional;
import org.braid.shard.io.OverwritePolicy;

/**
 * A request to restore a file from shards, to repair shards, or both.
 *
 * @param directory the directory of the shards, or of directories with them
 * @param out the file to write, if any
 * @param repair whether shards are repaired
 * @param overwrite whether an existing {@code out} is replaced
 * @param set the first digits of the set's id; needed only when the directory has several sets that
 *     can be decoded
 */
public record DecodeRequest(
    Path directory,
    Optional<Path> out,
    Repair repair,
    OverwritePolicy overwrite,
    Optional<String> set) {
  /** What to do with missing and damaged shards. */
  public enum Repair {
    /** Report them only. */
    NOTHING,
    /** Rebuild them. */
    SHARDS
  }

  /** Restores a file, changes no shard. */
  public static DecodeRequest restore(Path directory, Path out) {
    return new DecodeRequest(
        directory, Optional.of(out), Repair.NOTHING, OverwritePolicy.REFUSE, Optional.empty());
  }

  /** Repairs shards, writes no file. */
  public static DecodeRequest repair(Path directory) {
    return new DecodeRequest(
        directory, Optional.empty(), Repair.SHARDS, OverwritePolicy.REFUSE, Optional.empty());
  }

  public DecodeRequest withRepair(Repair how) {
    return new DecodeRequest(directory, out, how, overwrite, set);
  }

  public DecodeRequest withOverwrite(OverwritePolicy how) {
    return new DecodeRequest(directory, out, repair, how, set);
  }

  public DecodeRequest withSet(String digits) {
    return new DecodeRequest(directory, out, repair, overwrite, Optional.of(digits));
  }
}
