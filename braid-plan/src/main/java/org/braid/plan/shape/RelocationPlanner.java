package org.braid.plan.shape;

import org.braid.code.SubBlock;
import org.braid.plan.Plan;

/** Plans the move of a block to another node. */
public final class RelocationPlanner {
  private RelocationPlanner() {}

  /**
   * Copies a block, sub-block by sub-block, to another node.
   *
   * @param block the block
   * @param alpha its sub-blocks
   * @param from the node that stores it
   * @param to another node
   */
  public static Plan move(int block, int alpha, int from, int to) {
    if (alpha < 1) {
      throw new IllegalArgumentException("a block has at least 1 sub-block, not " + alpha);
    }
    Plan.Builder plan = Plan.builder("move");
    for (int index = 0; index < alpha; index++) {
      SubBlock part = new SubBlock(block, index);
      plan.store(plan.send(plan.read(from, part), to), part);
    }
    return plan.build();
  }
}
