package org.braid.lab.chaos;

import java.util.HashSet;
import java.util.Set;

/**
 * How much may be broken at once: nodes that are or were away since the last calm, and damaged
 * blocks, together at most as many as every stripe and every replicated block survives. A damaged
 * block counts wherever it is, so that no stripe can have more. A node with a full disk counts as
 * one that is away: what it has can be read, but it drops out of the pipelines of the blocks that
 * are written meanwhile, so that these have a replica less until HDFS has made another one.
 */
final class FaultBudget {
  private final int tolerance;
  private final Set<String> nodes = new HashSet<>();
  private int damaged;
  private boolean rack;

  /** A budget of so many losses. */
  FaultBudget(int tolerance) {
    this.tolerance = tolerance;
  }

  private int spent() {
    return rack ? tolerance : nodes.size() + damaged;
  }

  /** Takes a node away, if that is within the budget. */
  boolean spendNode(String node) {
    if (rack || (!nodes.contains(node) && spent() == tolerance)) {
      return false;
    }
    nodes.add(node);
    return true;
  }

  /** Damages a block, if that is within the budget. */
  boolean spendBlock() {
    if (spent() == tolerance) {
      return false;
    }
    damaged++;
    return true;
  }

  /** Takes a rack away, which is all that a stripe survives. */
  boolean spendRack() {
    if (spent() > 0) {
      return false;
    }
    rack = true;
    return true;
  }

  /** Everything is back and repaired. */
  void reset() {
    nodes.clear();
    damaged = 0;
    rack = false;
  }
}
