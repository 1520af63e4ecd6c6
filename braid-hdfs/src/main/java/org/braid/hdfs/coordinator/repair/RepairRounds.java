package org.braid.hdfs.coordinator.repair;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The stripes of a repair, each of which is worked on once. Stripes with surplus copies or parity
 * are settled in rounds, which bounds the number of them in memory.
 */
final class RepairRounds {
  private final int most;
  private final List<Damaged> crowded = new ArrayList<>();
  private final List<Damaged> replicated = new ArrayList<>();

  /** Parity files of the stripes met in this round and earlier ones. */
  private final Set<Long> taken = new HashSet<>();

  /** Number of blocks that damaged stripes lacked when they were taken, by parity file. */
  private final Map<Long, Integer> repaired = new HashMap<>();

  private boolean cut;

  /**
   * Starts the first round.
   *
   * @param most most stripes of a kind in a round
   */
  RepairRounds(int most) {
    this.most = most;
  }

  /**
   * Whether to repair a stripe with lost or misplaced blocks: it is met for the first time, or
   * lacks more blocks than before.
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

  /** Adds a stripe with surplus copies. */
  void addCrowded(Damaged stripe) {
    add(stripe, crowded);
  }

  /** Adds a stripe whose blocks are all replicated. */
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

  /** The stripes with surplus copies. */
  List<Damaged> crowded() {
    return crowded;
  }

  /** The stripes whose blocks are all replicated. */
  List<Damaged> replicated() {
    return replicated;
  }

  /** Ends a round; returns whether stripes are left for another one. */
  boolean next() {
    crowded.clear();
    replicated.clear();
    boolean more = cut;
    cut = false;
    return more;
  }
}
