package org.braid.placement;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** Nodes in racks, numbered densely from 0 in the order they were added. Immutable. */
public final class Topology {
  private final List<String> nodeNames;
  private final List<String> rackNames;
  private final int[] rackOf;
  private final List<List<Integer>> nodesIn;
  private final Map<String, Integer> indexes;

  private Topology(Builder builder) {
    nodeNames = List.copyOf(builder.nodeNames);
    rackNames = List.copyOf(builder.racks.keySet());
    rackOf = builder.rackOf.stream().mapToInt(Integer::intValue).toArray();
    indexes = Map.copyOf(builder.nodes);
    List<List<Integer>> members = new ArrayList<>();
    for (int r = 0; r < rackNames.size(); r++) {
      members.add(new ArrayList<>());
    }
    for (int node = 0; node < rackOf.length; node++) {
      members.get(rackOf[node]).add(node);
    }
    nodesIn = members.stream().map(List::copyOf).toList();
  }

  /** Racks {@code r0..} of equally many nodes {@code r0n0..}. */
  public static Topology of(int racks, int nodesPerRack) {
    Builder builder = builder();
    for (int r = 0; r < racks; r++) {
      for (int i = 0; i < nodesPerRack; i++) {
        builder.add("r" + r + "n" + i, "r" + r);
      }
    }
    return builder.build();
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Number of nodes. */
  public int nodes() {
    return rackOf.length;
  }

  /** Number of racks. */
  public int racks() {
    return rackNames.size();
  }

  public int rackOf(int node) {
    return rackOf[node];
  }

  public List<Integer> nodesIn(int rack) {
    return nodesIn.get(rack);
  }

  public String nodeName(int node) {
    return nodeNames.get(node);
  }

  public String rackName(int rack) {
    return rackNames.get(rack);
  }

  /** The node of a name, empty when there is none. */
  public OptionalInt indexOf(String nodeName) {
    Integer index = indexes.get(nodeName);
    return index == null ? OptionalInt.empty() : OptionalInt.of(index);
  }

  /** Collects nodes; the order of the calls is the numbering. */
  public static final class Builder {
    private final List<String> nodeNames = new ArrayList<>();
    private final List<Integer> rackOf = new ArrayList<>();
    private final Map<String, Integer> racks = new java.util.LinkedHashMap<>();
    private final Map<String, Integer> nodes = new HashMap<>();

    private Builder() {}

    /** Adds a node; its name must be new. */
    public Builder add(String node, String rack) {
      if (nodes.putIfAbsent(node, nodeNames.size()) != null) {
        throw new IllegalArgumentException("node " + node + " is named twice");
      }
      nodeNames.add(node);
      rackOf.add(racks.computeIfAbsent(rack, name -> racks.size()));
      return this;
    }

    public Topology build() {
      return new Topology(this);
    }
  }
}
