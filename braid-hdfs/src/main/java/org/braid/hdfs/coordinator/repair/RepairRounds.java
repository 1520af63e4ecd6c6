package org.braid.hdfs.coordinator.repair;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The stripes that a repair works on, in rounds: of very many only some are in memory, of those
 * damaged the ones that lack most blocks. Each is in one round.
 */
final class RepairRounds {
  private final int most;
  private final List<Damaged> damaged = new ArrayList<>();
  private final List<Damaged> crowded = new ArrayList<>();
  private final List<Damaged> replicated = new ArrayList<>();

  /** Parity files of the stripes of this round and of those before. */
  private final Set<Long> taken = new HashSet<>();

  private boolean cut;

  /**
   * The first round.
   *
   * @param most stripes of a kind in a round
   */
  RepairRounds(int most) {
    this.most = most;
  }

  /** Adds a stripe that lacks blocks, or of which blocks are to be moved. */
  void addDamaged(Damaged stripe) {
    if (taken.add(stripe.status().parityInode())) {
      damaged.add(stripe);
      if (damaged.size() == 2 * most) {
        keepMostUrgent();
      }
    }
  }

  private void keepMostUrgent() {
    damaged.sort(Comparator.comparingInt(RepairRounds::missing).reversed());
    List<Damaged> later = damaged.subList(most, damaged.size());
    later.forEach(stripe -> taken.remove(stripe.status().parityInode()));
    later.clear();
    cut = true;
  }

  private static int missing(Damaged stripe) {
    return stripe.members().lost().isEmpty()
        ? 0
        : stripe.members().lost().size() + stripe.members().gone().size();
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

  /** The damaged stripes of this round. */
  List<Damaged> damaged() {
    if (damaged.size() > most) {
      keepMostUrgent();
    }
    return damaged;
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
    damaged.clear();
    crowded.clear();
    replicated.clear();
    boolean more = cut;
    cut = false;
    return more;
  }
}
