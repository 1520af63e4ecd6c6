package org.braid.code.hlr;

import static org.braid.code.Checks.require;
import static org.braid.code.Checks.requireBlocks;

/**
 * The parameters of a {@link HierarchicalLocalRecovery} code.
 *
 * @param n racks; n*r is at most 255
 * @param r blocks of a rack
 * @param globals racks of cross-rack parity, 1..n-1
 * @param locals local parities of a rack, 1..r-1
 */
public record HlrSettings(int n, int r, int globals, int locals) {
  public HlrSettings {
    require(
        globals >= 1 && globals < n,
        "g = " + globals + ", but 1 <= g < n = " + n + " racks may hold cross-rack parity");
    require(
        locals >= 1 && locals < r,
        "l = " + locals + ", but 1 <= l < r = " + r + " blocks of a rack may be local parity");
    requireBlocks("n * r", (long) n * r, "a stripe");
  }

  /** Racks that hold data. */
  public int dataRacks() {
    return n - globals;
  }

  /** Data blocks of a data rack. */
  public int dataRows() {
    return r - locals;
  }

  /** Data blocks. */
  public int k() {
    return dataRacks() * dataRows();
  }

  /** The position in the stripe of the block in a row and rack of the array. */
  int block(int row, int rack) {
    if (rack >= dataRacks()) {
      return k() + dataRacks() * locals + (rack - dataRacks()) * r + row;
    }
    return row < dataRows() ? rack * dataRows() + row : k() + rack * locals + row - dataRows();
  }
}
