package org.braid.hdfs.namenode.view;

import java.util.Locale;

/** The state of a stripe, the best first. */
enum StripeState {
  /** All blocks are in their places. */
  HEALTHY,
  /** All blocks exist; some are in wrong places, or on leaving nodes. */
  MISPLACED,
  /** Blocks are lost, and the stripe survives further losses. */
  DEGRADED,
  /** Blocks are lost, and the next loss may cost data. */
  AT_RISK,
  /** Data blocks are lost that the remaining blocks cannot rebuild. */
  LOST,
  /** This release cannot read the stripe's description. */
  UNREADABLE;

  /** Name of the state in labels. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The state of a stripe with lost blocks.
   *
   * @param spare number of arbitrary further losses that it survives; -1 when it cannot be decoded
   * @param costsData whether a data block can neither be read nor rebuilt; a stripe that cannot be
   *     decoded may lack parity only
   */
  static StripeState withLost(int spare, boolean costsData) {
    return costsData ? LOST : spare <= 0 ? AT_RISK : DEGRADED;
  }
}
