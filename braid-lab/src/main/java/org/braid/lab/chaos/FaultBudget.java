package org.braid.lab.chaos;

import java.util.HashSet;
import java.util.Set;

/**
 * Limits concurrent faults: the nodes that were down since the last calm and the damaged blocks are
 * together at most the number of losses that every stripe and every replicated block survives. Each
 * damaged block counts, whatever its stripe. A node with a full disk counts as down: its replicas
 * can be read, but it drops out of write pipelines, so that new blocks lack a replica until HDFS
 * has made another one.
 */
final class FaultBudget {
  private final int tolerance;
  private final Set<String> nodes = new HashSet<>();
  private int damaged;
  private boolean rack;

  /** Creates a budget of a number of losses. */
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
