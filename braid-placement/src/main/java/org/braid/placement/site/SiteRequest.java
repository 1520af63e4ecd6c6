package org.braid.placement.site;

import org.braid.code.ErasureCode;
import org.braid.placement.EligibleNodes;

/**
 * A stripe to place.
 *
 * @param eligible nodes that may hold a block, at sites
 * @param code the code
 * @param parityCopies copies of each parity, 1 to 3
 * @param perRack c, the most blocks in a rack, including copies
 */
public record SiteRequest(EligibleNodes eligible, ErasureCode code, int parityCopies, int perRack) {
  /** The most copies of each parity; with more, a stripe takes as much space as three replicas. */
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

  /** Number of copies of a block. */
  int copies(int block) {
    return block < code.k() ? 1 : parityCopies;
  }

  /** Number of blocks stored, including copies. */
  int total() {
    return code.k() + code.m() * parityCopies;
  }
}
