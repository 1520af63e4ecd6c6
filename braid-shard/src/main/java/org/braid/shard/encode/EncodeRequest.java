package org.braid.shard.encode;

import java.nio.file.Path;
import org.braid.code.ErasureCode;
import org.braid.shard.format.ShardSet;
import org.braid.shard.io.OverwritePolicy;

/**
 * A request to encode a local file into shards.
 *
 * @param code the code
 * @param file the file, which may be a pipe or a device
 * @param directory the directory of the shards; created if it does not exist
 * @param cell bytes of a cell; rounded down to equal sub-blocks
 * @param overwrite whether shards of a file of this name are replaced
 */
public record EncodeRequest(
    ErasureCode code, Path file, Path directory, int cell, OverwritePolicy overwrite) {
  /** The default cell: few calls, and a stripe fits into the processor's caches. */
  public static final int CELL = 64 << 10;

  /** A request with default cells that replaces nothing. */
  public static EncodeRequest of(ErasureCode code, Path file, Path directory) {
    return new EncodeRequest(code, file, directory, CELL, OverwritePolicy.REFUSE);
  }

  /**
   * The bytes of a full cell: sub-blocks are multiples of 64 bytes where the cell is large enough.
   *
   * @throws IllegalArgumentException when a stripe of such cells is too large
   */
  public int fullCell() {
    int sub = Math.max(1, cell / code.alpha());
    long full = (long) (sub < 64 ? sub : sub & -64) * code.alpha();
    return ShardSet.checkCell(code.n(), code.alpha(), full);
  }

  public EncodeRequest withOverwrite(OverwritePolicy how) {
    return new EncodeRequest(code, file, directory, cell, how);
  }

  public EncodeRequest withCell(int bytes) {
    return new EncodeRequest(code, file, directory, bytes, overwrite);
  }
}
