package org.braid.hdfs.namenode.ear;

import java.util.ArrayList;
import java.util.List;
import org.braid.placement.Topology;
import org.jspecify.annotations.Nullable;

/**
 * The placed blocks of a stripe. Each block keeps the UUIDs of its nodes, which survive changes of
 * the cluster. The indices of the nodes are looked up once for each topology, because the topology
 * of a cluster seldom changes.
 */
public final class PlacedBlocks {
  private static final int NOWHERE = -1;
  private static final Topology NO_NODES = Topology.builder().build();

  private final List<List<String>> names = new ArrayList<>();
  private @Nullable String coreRack;

  private Topology topology = NO_NODES;
  private final List<int[]> numbers = new ArrayList<>();
  private int core = NOWHERE;

  /** Number of the stripe's known blocks, counted from its first block. */
  public int blocks() {
    return names.size();
  }

  /** Forgets the blocks from a position on, because HDFS asks for their targets again. */
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

  /** Adds the next block, with the UUIDs of the nodes of its replicas. */
  public void found(List<String> uuids) {
    names.add(uuids);
    numbers.add(numbers(uuids));
  }

  /**
   * Adds the next block, with the nodes that were chosen for it.
   *
   * @param rack index of the core rack of the stripe; -1 for none
   * @param nodes indices of the nodes in the topology of the last call of {@link #in}
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

  /** Switches to a topology. */
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

  /** The indices of nodes, without nodes that have left the topology. */
  private int[] numbers(List<String> uuids) {
    return uuids.stream()
        .mapToInt(uuid -> topology.indexOf(uuid).orElse(NOWHERE))
        .filter(node -> node >= 0)
        .toArray();
  }

  /** The index of the core rack; -1 for none. */
  public int core() {
    return core;
  }

  /** The indices of the nodes of each block. */
  public List<int[]> nodes() {
    return numbers;
  }
}
