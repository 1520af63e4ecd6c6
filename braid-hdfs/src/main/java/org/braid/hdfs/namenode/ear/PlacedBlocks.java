package org.braid.hdfs.namenode.ear;

import java.util.ArrayList;
import java.util.List;
import org.braid.placement.Topology;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a stripe that were placed so far. Each has the names of its nodes, which outlive
 * changes of the cluster. The numbers of the nodes are looked up once for each topology: that of a
 * cluster seldom changes.
 */
public final class PlacedBlocks {
  private static final int NOWHERE = -1;
  private static final Topology NO_NODES = Topology.builder().build();

  private final List<List<String>> names = new ArrayList<>();
  private @Nullable String coreRack;

  private Topology topology = NO_NODES;
  private final List<int[]> numbers = new ArrayList<>();
  private int core = NOWHERE;

  /** How many of the stripe's blocks are known, from the first on. */
  public int blocks() {
    return names.size();
  }

  /** Forgets all blocks from a position on: they are asked for again. */
  public void forget(int position) {
    while (names.size() > position) {
      numbers.remove(names.size() - 1);
      names.remove(names.size() - 1);
    }
    if (position == 0) {
      coreRack = null;
      core = NOWHERE;
    }
  }

  /** Adds the next block, whose replicas were found on these nodes. */
  public void found(List<String> uuids) {
    names.add(uuids);
    numbers.add(numbers(uuids));
  }

  /**
   * Adds the next block.
   *
   * @param rack the core rack of the stripe, -1 for none
   * @param nodes by their numbers in the topology that was last asked for
   */
  public void placed(int rack, int[] nodes) {
    core = rack;
    coreRack = rack < 0 ? null : topology.rackName(rack);
    List<String> uuids = new ArrayList<>(nodes.length);
    for (int node : nodes) {
      uuids.add(topology.nodeName(node));
    }
    names.add(uuids);
    numbers.add(nodes);
  }

  /** Turns to the topology of the present. */
  @SuppressWarnings("ReferenceEquality") // one that does not change stays the same object
  public void in(Topology present) {
    if (topology == present) {
      return;
    }
    topology = present;
    numbers.clear();
    names.forEach(uuids -> numbers.add(numbers(uuids)));
    core = NOWHERE;
    for (int rack = 0; rack < present.racks() && coreRack != null && core < 0; rack++) {
      core = present.rackName(rack).equals(coreRack) ? rack : NOWHERE;
    }
  }

  /** Nodes that are not there any more are left out. */
  private int[] numbers(List<String> uuids) {
    return uuids.stream()
        .mapToInt(uuid -> topology.indexOf(uuid).orElse(NOWHERE))
        .filter(node -> node >= 0)
        .toArray();
  }

  /** The number of the core rack, -1 when there is none. */
  public int core() {
    return core;
  }

  /** For each block the numbers of its nodes. */
  public List<int[]> nodes() {
    return numbers;
  }
}
