package org.braid.shard;

import java.nio.file.Path;
import org.braid.code.ErasureCode;

/**
 * A file to cut into shards.
 *
 * @param code the code
 * @param file the file; a pipe or a device will do
 * @param directory where the shards go; made where it does not exist
 * @param cell bytes of a cell; cut to what equal sub-blocks allow
 * @param existing what to do where there are shards of a file of this name
 */
public record EncodeRequest(
    ErasureCode code, Path file, Path directory, int cell, Existing existing) {
  /** Large enough for few calls, small enough for a stripe to stay in the processor's caches. */
  public static final int CELL = 64 << 10;

  /** A request with everything else left as it is. */
  public static EncodeRequest of(ErasureCode code, Path file, Path directory) {
    return new EncodeRequest(code, file, directory, CELL, Existing.KEEP);
  }

  /**
   * The bytes of a full cell: sub-blocks start at multiples of 64 where the cell allows it.
   *
   * @throws IllegalArgumentException when a stripe of such cells is too large
   */
  public int fullCell() {
    int sub = Math.max(1, cell / code.alpha());
    long full = (long) (sub < 64 ? sub : sub & -64) * code.alpha();
    return ShardSet.checkCell(code.n(), code.alpha(), full);
  }

  public EncodeRequest withExisting(Existing how) {
    return new EncodeRequest(code, file, directory, cell, how);
  }

  public EncodeRequest withCell(int bytes) {
    return new EncodeRequest(code, file, directory, bytes, existing);
  }
}
