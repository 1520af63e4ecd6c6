package org.braid.hdfs.coordinator.repair;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The stripes that a repair meets: each is worked on once. Those with too much are settled in
 * rounds, so that of very many only some are in memory.
 */
final class RepairRounds {
  private final int most;
  private final List<Damaged> crowded = new ArrayList<>();
  private final List<Damaged> replicated = new ArrayList<>();

  /** Parity files of the stripes met in this round and those before. */
  private final Set<Long> taken = new HashSet<>();

  /** How many blocks damaged stripes lacked when they were taken, by their parity files. */
  private final Map<Long, Integer> repaired = new HashMap<>();

  private boolean cut;

  /**
   * The first round.
   *
   * @param most stripes of a kind in a round
   */
  RepairRounds(int most) {
    this.most = most;
  }

  /**
   * Whether a stripe that lacks blocks, or has some to be moved, is to be repaired: it is met for
   * the first time, or lacks more than before.
   */
  boolean takes(Damaged stripe) {
    int missing = stripe.members().lost().size() + stripe.members().gone().size();
    Integer before = repaired.get(stripe.status().parityInode());
    if (before != null && before >= missing) {
      return false;
    }
    repaired.put(stripe.status().parityInode(), missing);
    return true;
  }

  /** Adds a stripe with copies too many. */
  void addCrowded(Damaged stripe) {
    add(stripe, crowded);
  }

  /** Adds a stripe of which all blocks are replicated. */
  void addReplicated(Damaged stripe) {
    add(stripe, replicated);
  }

  private void add(Damaged stripe, List<Damaged> to) {
    if (to.size() == most) {
      cut |= !taken.contains(stripe.status().parityInode());
    } else if (taken.add(stripe.status().parityInode())) {
      to.add(stripe);
    }
  }

  /** The stripes with copies too many. */
  List<Damaged> crowded() {
    return crowded;
  }

  /** The stripes of which all blocks are replicated. */
  List<Damaged> replicated() {
    return replicated;
  }

  /** Ends a round; returns whether stripes were left for another one. */
  boolean next() {
    crowded.clear();
    replicated.clear();
    boolean more = cut;
    cut = false;
    return more;
  }
}
