package org.braid.placement.replication;

import java.util.random.RandomGenerator;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;

/** Draws the replicas of one block, one after the other, by the rules of a layout. */
final class ReplicaDraw {
  private final EligibleNodes eligible;
  private final Topology topology;
  private final ReplicaLayout layout;
  private final RandomGenerator random;
  private final int maximumPerRack;
  private final int[] chosen;
  private int size;

  ReplicaDraw(EligibleNodes eligible, int replicas, ReplicaLayout layout, RandomGenerator random) {
    if (replicas < 1) {
      throw new IllegalArgumentException("a block of " + replicas + " replicas, needed is 1");
    }
    if (!eligible.atLeast(replicas)) {
      throw new PlacementException(
          "nodes",
          replicas,
          eligible.size(),
          ("a block of %d replicas needs %d nodes, %d are eligible: add nodes or lower the"
                  + " replication")
              .formatted(replicas, replicas, eligible.size()));
    }
    if (layout == ReplicaLayout.ALL_DIFFERENT && eligible.racks(replicas) < replicas) {
      throw new PlacementException(
          "racks",
          replicas,
          eligible.racks(),
          ("a block of %d replicas in different racks needs %d racks, %d have eligible nodes: add"
                  + " racks, lower the replication or choose another layout")
              .formatted(replicas, replicas, eligible.racks()));
    }
    this.eligible = eligible;
    this.topology = eligible.topology();
    this.layout = layout;
    this.random = random;
    this.chosen = new int[replicas];
    // More racks than replicas do not change the bound.
    this.maximumPerRack = maximumPerRack(replicas, eligible.racks(replicas));
  }

  /** HDFS's bound: never all replicas in one rack, (replicas - 1) / racks + 2 for many replicas. */
  static int maximumPerRack(int replicas, int racks) {
    if (racks <= 1 || replicas <= 1) {
      return replicas;
    }
    int maximum = (replicas - 1) / racks + 2;
    return maximum == replicas ? maximum - 1 : maximum;
  }

  void take(int node) {
    chosen[size++] = node;
  }

  /** The first replica: the writer, else a node of its rack, else any. */
  void takeFirst(int writer) {
    if (eligible.contains(writer)) {
      take(writer);
      return;
    }
    if (writer >= 0 && takeFromRack(topology.rackOf(writer))) {
      return;
    }
    takeAny();
  }

  /** Whether the layout allows the second replica there, after the first. */
  boolean allowsSecond(int node) {
    int rack = topology.rackOf(node);
    return rack != topology.rackOf(chosen[0])
        && (layout != ReplicaLayout.TWO_RACKS || eligible.in(rack).length >= chosen.length - 1);
  }

  /** Draws what is missing after the first replica, or after the first two. */
  int[] finish() {
    switch (layout) {
      case TWO_RACKS -> finishInTwoRacks();
      case ALL_DIFFERENT -> finishInDifferentRacks();
      default -> finishAsHdfs();
    }
    return chosen;
  }

  private void finishInTwoRacks() {
    if (size == 1 && chosen.length > 1) {
      int second = eligible.pick(this::allowsSecond, random);
      if (second == EligibleNodes.NONE) {
        throw new PlacementException(
            "nodes in one rack",
            chosen.length - 1,
            largestOther(),
            ("a block of %d replicas in two racks, the first in rack %s, needs %d eligible nodes in"
                    + " one other rack, the largest has %d: add nodes, lower the replication or"
                    + " choose another layout")
                .formatted(
                    chosen.length,
                    topology.rackName(topology.rackOf(chosen[0])),
                    chosen.length - 1,
                    largestOther()));
      }
      take(second);
    }
    while (size < chosen.length) {
      take(eligible.pickIn(topology.rackOf(chosen[1]), this::isNew, random));
    }
  }

  private int largestOther() {
    int largest = 0;
    for (int rack = 0; rack < topology.racks(); rack++) {
      if (rack != topology.rackOf(chosen[0])) {
        largest = Math.max(largest, eligible.in(rack).length);
      }
    }
    return largest;
  }

  private void finishInDifferentRacks() {
    while (size < chosen.length) {
      take(eligible.pick(node -> inRackOf(node) == 0, random));
    }
  }

  private void finishAsHdfs() {
    if (size == 1 && chosen.length > 1) {
      takeRemote(chosen[0]);
    }
    if (size == 2 && chosen.length > 2) {
      if (topology.rackOf(chosen[0]) == topology.rackOf(chosen[1])) {
        takeRemote(chosen[0]);
      } else {
        takeBesideSecond();
      }
    }
    while (size < chosen.length) {
      takeAny();
    }
  }

  private void takeRemote(int node) {
    int rack = topology.rackOf(node);
    if (!takeOrNot(eligible.pick(n -> topology.rackOf(n) != rack && fits(n), random))
        && !takeFromRack(rack)) {
      takeAny();
    }
  }

  private void takeBesideSecond() {
    if (!takeFromRack(topology.rackOf(chosen[1])) && !takeFromRack(topology.rackOf(chosen[0]))) {
      takeAny();
    }
  }

  private void takeAny() {
    if (!takeOrNot(eligible.pick(this::fits, random))) {
      // HDFS writes fewer replicas here; a block with all its replicas is safer.
      take(eligible.pick(this::isNew, random));
    }
  }

  private boolean takeFromRack(int rack) {
    return takeOrNot(eligible.pickIn(rack, this::fits, random));
  }

  private boolean fits(int node) {
    return isNew(node) && inRackOf(node) < maximumPerRack;
  }

  private boolean takeOrNot(int node) {
    if (node == EligibleNodes.NONE) {
      return false;
    }
    take(node);
    return true;
  }

  private boolean isNew(int node) {
    for (int i = 0; i < size; i++) {
      if (chosen[i] == node) {
        return false;
      }
    }
    return true;
  }

  private int inRackOf(int node) {
    int count = 0;
    for (int i = 0; i < size; i++) {
      count += topology.rackOf(chosen[i]) == topology.rackOf(node) ? 1 : 0;
    }
    return count;
  }
}
