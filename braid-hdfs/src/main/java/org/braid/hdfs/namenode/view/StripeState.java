package org.braid.hdfs.namenode.view;

import java.util.Locale;

/** How a stripe is, in one word, the best first. */
enum StripeState {
  /** All blocks are there and where they are to be. */
  HEALTHY,
  /** All are there; some are in wrong places, or their nodes leave. */
  MISPLACED,
  /** Blocks are lost, and further ones may be. */
  DEGRADED,
  /** Blocks are lost, and the next loss may cost data. */
  AT_RISK,
  /** Data blocks are lost that those left do not give back. */
  LOST,
  /** This release cannot read what describes it. */
  UNREADABLE;

  /** Its name in labels. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The state of a stripe that lost blocks.
   *
   * @param spare further losses that it survives, whichever they are; -1: it cannot be decoded
   * @param costsData whether a data block can neither be read nor rebuilt: what cannot be decoded
   *     may be parity alone
   */
  static StripeState withLost(int spare, boolean costsData) {
    return costsData ? LOST : spare <= 0 ? AT_RISK : DEGRADED;
  }
}
