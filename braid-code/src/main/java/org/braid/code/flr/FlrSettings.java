package org.braid.code.flr;

import org.braid.code.ErasureCode;

/**
 * The parameters of a {@link FlatLocalRecovery} code.
 *
 * @param n blocks of a stripe and racks, at most 255
 * @param globals global parities, at least 1
 * @param locals local parities and groups, at least 1; there are as many data blocks or more
 */
public record FlrSettings(int n, int globals, int locals) {
  public FlrSettings {
    if (globals < 1) {
      throw new IllegalArgumentException(
          "g = " + globals + ", flat local recovery needs at least 1 global parity");
    }
    if (locals < 1) {
      throw new IllegalArgumentException(
          "l = " + locals + ", flat local recovery needs at least 1 local parity");
    }
    if (n > ErasureCode.MAX_BLOCKS) {
      throw new IllegalArgumentException(
          "n = "
              + n
              + ", flat local recovery over GF(2^8) takes at most "
              + ErasureCode.MAX_BLOCKS
              + " blocks");
    }
    long data = (long) n - globals - locals;
    if (data < locals) {
      throw new IllegalArgumentException(
          "n - g - l = " + data + " data blocks are too few for l = " + locals + " groups");
    }
  }

  /** Data blocks. */
  public int k() {
    return n - globals - locals;
  }

  /** The first data block of a group; that of the group after the last one is k. */
  int start(int group) {
    int larger = k() % locals;
    return group * (k() / locals) + Math.min(group, larger);
  }
}
