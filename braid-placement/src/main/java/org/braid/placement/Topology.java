package org.braid.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Nodes in racks, and racks at sites, each numbered densely from 0 in the order they were added.
 * Immutable.
 */
public final class Topology {
  private static final int MAX_NODES = 1_000_000;

  private final List<String> nodeNames;
  private final List<String> rackNames;
  private final List<String> siteNames;
  private final int[] rackOf;
  private final int[] siteOfRack;
  private final List<List<Integer>> nodesIn;
  private final Map<String, Integer> indexes;

  private Topology(Builder builder) {
    nodeNames = List.copyOf(builder.nodeNames);
    rackNames = List.copyOf(builder.racks.keySet());
    siteNames = List.copyOf(builder.sites.keySet());
    siteOfRack = builder.siteOfRack.stream().mapToInt(Integer::intValue).toArray();
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

  /** Racks {@code r0}, {@code r1}, ... of the same number of nodes {@code r0n0}, ... */
  public static Topology of(int racks, int nodesPerRack) {
    Builder builder = builder();
    for (int r = 0; r < racks; r++) {
      for (int i = 0; i < nodesPerRack; i++) {
        builder.add("r" + r + "n" + i, "r" + r);
      }
    }
    return builder.build();
  }

  /**
   * Sites {@code s0}, ... of the same number of racks {@code s0r0}, ... of the same number of
   * nodes.
   */
  public static Topology of(int sites, int racksPerSite, int nodesPerRack) {
    Builder builder = builder();
    for (int s = 0; s < sites; s++) {
      for (int r = 0; r < racksPerSite; r++) {
        for (int i = 0; i < nodesPerRack; i++) {
          builder.add("s" + s + "r" + r + "n" + i, "s" + s + "r" + r, "s" + s);
        }
      }
    }
    return builder.build();
  }

  /**
   * Parses {@code RxN}, R racks of N nodes, or {@code SxRxN}, S sites of R racks of N nodes.
   *
   * @throws IllegalArgumentException when the text is neither, or names no node or more than a
   *     million
   */
  public static Topology parse(String text) {
    if (!text.matches("[0-9]{1,7}(x[0-9]{1,7}){1,2}")) {
      throw new IllegalArgumentException(
          "\""
              + text
              + "\" is not a topology: write RACKSxNODES or SITESxRACKSxNODES, as in 4x6 or"
              + " 3x2x6");
    }
    int[] sizes = Arrays.stream(text.split("x", -1)).mapToInt(Integer::parseInt).toArray();
    double nodes = Arrays.stream(sizes).asDoubleStream().reduce(1, (a, b) -> a * b);
    if (nodes < 1 || nodes > MAX_NODES) {
      throw new IllegalArgumentException(
          "topology %s has %.0f nodes: at least 1 and at most %d are possible"
              .formatted(text, nodes, MAX_NODES));
    }
    return sizes.length == 2 ? of(sizes[0], sizes[1]) : of(sizes[0], sizes[1], sizes[2]);
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

  /** Number of sites; 1 when no rack was given a site. */
  public int sites() {
    return siteNames.size();
  }

  /** The site of a node. */
  public int siteOf(int node) {
    return siteOfRack[rackOf[node]];
  }

  /** The site of a rack. */
  public int siteOfRack(int rack) {
    return siteOfRack[rack];
  }

  public String siteName(int site) {
    return siteNames.get(site);
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

  /** Whether the nodes of another topology come first, in the same racks and at the same sites. */
  public boolean startsWith(Topology other) {
    return this == other
        || (isPrefix(other.nodeNames, nodeNames)
            && isPrefix(other.rackNames, rackNames)
            && isPrefix(other.siteNames, siteNames)
            && Arrays.equals(other.rackOf, Arrays.copyOf(rackOf, other.nodes()))
            && Arrays.equals(other.siteOfRack, Arrays.copyOf(siteOfRack, other.racks())));
  }

  private static boolean isPrefix(List<String> first, List<String> all) {
    return first.size() <= all.size() && first.equals(all.subList(0, first.size()));
  }

  /** A builder that has the nodes of this topology already, with the same numbers. */
  public Builder toBuilder() {
    Builder builder = builder();
    for (int node = 0; node < nodes(); node++) {
      builder.add(nodeName(node), rackName(rackOf(node)), siteName(siteOf(node)));
    }
    return builder;
  }

  /** The node of a name; empty when no node has the name. */
  public OptionalInt indexOf(String nodeName) {
    Integer index = indexes.get(nodeName);
    return index == null ? OptionalInt.empty() : OptionalInt.of(index);
  }

  /** The notation that {@link #parse} reads; the number of nodes where racks differ in size. */
  @Override
  public String toString() {
    if (nodesIn.stream().anyMatch(rack -> rack.size() * racks() != nodes())) {
      return nodes() + " nodes in " + racks() + " racks";
    }
    return (sites() > 1 ? sites() + "x" : "") + racks() / sites() + "x" + nodesIn(0).size();
  }

  /** Numbers nodes, racks and sites in the order in which they are added. */
  public static final class Builder {
    private final List<String> nodeNames = new ArrayList<>();
    private final List<Integer> rackOf = new ArrayList<>();
    private final Map<String, Integer> racks = new LinkedHashMap<>();
    private final Map<String, Integer> nodes = new HashMap<>();
    private final Map<String, Integer> sites = new LinkedHashMap<>();
    private final List<Integer> siteOfRack = new ArrayList<>();

    private Builder() {}

    /** Adds a node with a new name to a rack of the only site. */
    public Builder add(String node, String rack) {
      return add(node, rack, "site");
    }

    /** Adds a node with a new name to a rack; the rack is at no other site. */
    public Builder add(String node, String rack, String site) {
      if (nodes.putIfAbsent(node, nodeNames.size()) != null) {
        throw new IllegalArgumentException("node " + node + " is named twice");
      }
      nodeNames.add(node);
      int siteIndex = sites.computeIfAbsent(site, name -> sites.size());
      int rackIndex = racks.computeIfAbsent(rack, name -> racks.size());
      if (rackIndex == siteOfRack.size()) {
        siteOfRack.add(siteIndex);
      } else if (siteOfRack.get(rackIndex) != siteIndex) {
        throw new IllegalArgumentException(
            "rack " + rack + " is at two sites, " + site + " is the second");
      }
      rackOf.add(rackIndex);
      return this;
    }

    public Topology build() {
      return new Topology(this);
    }
  }
}
