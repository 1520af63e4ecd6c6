package org.braid.code.flr;

import static org.braid.code.Checks.require;
import static org.braid.code.Checks.requireBlocks;

/**
 * The parameters of a {@link FlatLocalRecovery} code.
 *
 * @param n blocks of a stripe and racks, at most 255
 * @param globals global parities, at least 1
 * @param locals local parities and groups, at least 1 and at most the number of data blocks
 */
public record FlrSettings(int n, int globals, int locals) {
  public FlrSettings {
    require(
        globals >= 1, "g = " + globals + ", flat local recovery needs at least 1 global parity");
    require(locals >= 1, "l = " + locals + ", flat local recovery needs at least 1 local parity");
    requireBlocks("n", n, "flat local recovery over GF(2^8)");
    long data = (long) n - globals - locals;
    require(
        data >= locals,
        "n - g - l = " + data + " data blocks are too few for l = " + locals + " groups");
  }

  /** Data blocks. */
  public int k() {
    return n - globals - locals;
  }

  /** The first data block of a group; k for the group after the last one. */
  int start(int group) {
    int larger = k() % locals;
    return group * (k() / locals) + Math.min(group, larger);
  }
}
