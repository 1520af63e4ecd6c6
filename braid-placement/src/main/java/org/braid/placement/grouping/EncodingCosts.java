package org.braid.placement.grouping;

import org.braid.placement.EligibleNodes;
import org.braid.placement.grouping.IncrementalMatching.Context;
import org.braid.placement.rule.StripeRule;

/**
 * The costs of encoding blocks together: downloads across racks and relocations. Not thread-safe.
 */
public final class EncodingCosts {
  private final Context context;

  /**
   * Costs of encoding blocks of a table.
   *
   * @param eligible nodes that may keep a block of a stripe
   * @param rule where the blocks of a stripe may be after encoding
   */
  public EncodingCosts(EligibleNodes eligible, ReplicaTable table, StripeRule rule) {
    context = new Context(eligible, table, rule);
  }

  /**
   * The costs of one stripe.
   *
   * @param coreRack the rack that holds a replica of most blocks
   * @param downloads blocks without a replica in the core rack
   * @param relocations blocks of which no replica can stay
   */
  public record Cost(int coreRack, int downloads, int relocations) {
    /** Whether only parity crosses racks. */
    public boolean isFree() {
      return downloads == 0 && relocations == 0;
    }
  }

  /** The costs of a stripe of one or more blocks. */
  public Cost of(int... blocks) {
    IncrementalMatching kept = new IncrementalMatching(context, blocks.length);
    for (int block : blocks) {
      kept.add(block);
    }
    int rack = context.fullestRack(blocks);
    return new Cost(rack, context.downloads(blocks, rack), kept.relocations());
  }
}
