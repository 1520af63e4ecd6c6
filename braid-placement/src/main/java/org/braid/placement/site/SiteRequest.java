package org.braid.placement.site;

import java.util.function.IntPredicate;
import org.braid.code.ErasureCode;
import org.braid.placement.Topology;

/**
 * A stripe to place.
 *
 * @param topology the cluster, with sites
 * @param eligible nodes that may hold a block
 * @param code the code
 * @param parityCopies how often each parity is stored, 1 to 3
 * @param perRack c, blocks that a rack may hold, copies included
 */
public record SiteRequest(
    Topology topology, IntPredicate eligible, ErasureCode code, int parityCopies, int perRack) {
  /** Copies of each parity at most; with more a stripe takes as much as three replicas. */
  public static final int MAX_PARITY_COPIES = 3;

  /** Checks the ranges. */
  public SiteRequest {
    if (parityCopies < 1 || parityCopies > MAX_PARITY_COPIES) {
      throw new IllegalArgumentException(
          "%d copies of each parity, needed are 1 to %d"
              .formatted(parityCopies, MAX_PARITY_COPIES));
    }
    if (perRack < 1) {
      throw new IllegalArgumentException(
          "a rack may hold " + perRack + " blocks of a stripe, needed is 1 or more");
    }
  }

  /** Copies of a block. */
  int copies(int block) {
    return block < code.k() ? 1 : parityCopies;
  }

  /** Everything that is stored. */
  int total() {
    return code.k() + code.m() * parityCopies;
  }
}
