package org.braid.placement.rule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.braid.code.ErasureCode;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.RandomChoice;
import org.braid.placement.Topology;
import org.braid.placement.flow.FlowCheck;

/**
 * Each column of a code's grid in a rack of its own, its blocks on distinct nodes (R-STAIR section
 * III-A).
 */
final class ColumnRule implements StripeRule {
  private final ErasureCode code;
  private final Set<Integer> targetRacks;
  private final List<List<Integer>> columns;
  private final int[] columnOf;

  ColumnRule(ErasureCode code, Set<Integer> targetRacks) {
    this.code = code;
    this.targetRacks = Set.copyOf(targetRacks);
    columns = ColumnPlacement.columns(code);
    columnOf = new int[code.n()];
    for (int column = 0; column < columns.size(); column++) {
      for (int block : columns.get(column)) {
        columnOf[block] = column;
      }
    }
  }

  @Override
  public ErasureCode code() {
    return code;
  }

  @Override
  public int perRack() {
    return columns.stream().mapToInt(List::size).max().orElseThrow();
  }

  @Override
  public Set<Integer> targetRacks() {
    return targetRacks;
  }

  private StripeLimits limits() {
    return new StripeLimits(perRack(), targetRacks);
  }

  private boolean allows(int rack) {
    return targetRacks.isEmpty() || targetRacks.contains(rack);
  }

  @Override
  public String text() {
    return "a rack for each of the %d columns of %d blocks".formatted(columns.size(), perRack());
  }

  @Override
  public void check(EligibleNodes eligible) {
    ColumnPlacement.racks(eligible, columns, code.name(), limits());
  }

  @Override
  public EncodedStripe layout(
      EligibleNodes eligible, List<int[]> replicas, NodeLoads loads, RandomGenerator random) {
    StripePlacement.requireData(code, replicas);
    return ColumnPlacement.layout(eligible, code, replicas, limits(), random);
  }

  @Override
  public boolean keeps(EligibleNodes eligible, List<int[]> replicas, int blocks) {
    return blocks <= ColumnPlacement.kept(eligible, code, replicas, limits());
  }

  @Override
  public FlowCheck after(EligibleNodes eligible, List<int[]> replicas, RandomGenerator random) {
    return ColumnPlacement.after(eligible, code, replicas, limits());
  }

  /**
   * A lost block goes to the rack of its column, where the other blocks of the column are. A column
   * without blocks goes to a rack of no other column.
   */
  @Override
  public int[] destinations(
      EligibleNodes eligible, int[] nodeOf, List<Integer> lost, RandomGenerator random) {
    Topology topology = eligible.topology();
    int[] places = nodeOf.clone();
    lost.forEach(block -> places[block] = NOWHERE);
    int[] rackOf = racks(topology, places, stored(places));
    Set<Integer> used = new HashSet<>();
    Arrays.stream(places).filter(n -> n >= 0).forEach(n -> used.add(topology.rackOf(n)));
    int[] chosen = new int[lost.size()];
    for (int column = 0; column < rackOf.length; column++) {
      List<Integer> missing = columns.get(column).stream().filter(lost::contains).toList();
      if (missing.isEmpty()) {
        continue;
      }
      int rack = rackOf[column];
      if (rack == NOWHERE) {
        rack = unused(eligible, columns.get(column).size(), used, random);
        used.add(rack);
      }
      int[] free =
          Arrays.stream(eligible.in(rack))
              .filter(n -> Arrays.stream(places).noneMatch(place -> place == n))
              .toArray();
      if (free.length < missing.size()) {
        throw new PlacementException(
            "nodes in a rack",
            missing.size(),
            free.length,
            ("no node left for a rebuilt block: %d blocks of a column belong in rack %s beside the"
                    + " others of that column, it has %d eligible nodes without a block of the"
                    + " stripe: add nodes to that rack")
                .formatted(missing.size(), topology.rackName(rack), free.length));
      }
      for (int block : missing) {
        int node =
            RandomChoice.pick(
                free, n -> Arrays.stream(places).noneMatch(place -> place == n), random);
        places[block] = node;
        chosen[lost.indexOf(block)] = node;
      }
    }
    return chosen;
  }

  private int unused(
      EligibleNodes eligible, int blocks, Set<Integer> used, RandomGenerator random) {
    int[] racks = new int[eligible.topology().racks()];
    Arrays.setAll(racks, rack -> rack);
    int rack =
        RandomChoice.pick(
            racks, r -> !used.contains(r) && allows(r) && eligible.in(r).length >= blocks, random);
    if (rack == NOWHERE) {
      throw new PlacementException(
          "racks",
          1,
          0,
          ("no rack left for a lost column of %d blocks: none without a block of the stripe has so"
                  + " many eligible nodes (%d in %d racks): add a rack or nodes")
              .formatted(blocks, eligible.size(), eligible.racks()));
    }
    return rack;
  }

  private static List<Integer> stored(int[] nodeOf) {
    List<Integer> stored = new ArrayList<>();
    for (int block = 0; block < nodeOf.length; block++) {
      if (nodeOf[block] >= 0) {
        stored.add(block);
      }
    }
    return stored;
  }

  /**
   * The rack of each column: the rack with most of its blocks among the racks to which no other
   * column has the better claim; {@link #NOWHERE} for a column without such a rack.
   *
   * @param claims blocks on known nodes, the better claim first
   */
  private int[] racks(Topology topology, int[] nodeOf, List<Integer> claims) {
    record Claim(int column, int rack, int blocks, int first) {}
    Map<Long, Claim> claimed = new TreeMap<>();
    for (int i = 0; i < claims.size(); i++) {
      int column = columnOf[claims.get(i)];
      int rack = topology.rackOf(nodeOf[claims.get(i)]);
      Claim one = new Claim(column, rack, 1, i);
      claimed.merge(
          (long) column << 32 | rack,
          one,
          (a, b) -> new Claim(a.column, a.rack, a.blocks + 1, a.first));
    }
    int[] rackOf = new int[columns.size()];
    Arrays.fill(rackOf, NOWHERE);
    Set<Integer> taken = new HashSet<>();
    claimed.values().stream()
        .filter(claim -> allows(claim.rack))
        .sorted(Comparator.comparingInt((Claim c) -> -c.blocks).thenComparingInt(Claim::first))
        .forEach(
            claim -> {
              if (rackOf[claim.column] == NOWHERE && taken.add(claim.rack)) {
                rackOf[claim.column] = claim.rack;
              }
            });
    return rackOf;
  }

  @Override
  public boolean fits(Topology topology, int[] nodeOf, int block, int node) {
    int rack = topology.rackOf(node);
    if (!allows(rack)) {
      return false;
    }
    int[] others = nodeOf.clone();
    others[block] = NOWHERE;
    boolean[] unknown = new boolean[columns.size()];
    for (int other = 0; other < others.length; other++) {
      if (others[other] == node) {
        return false;
      }
      unknown[columnOf[other]] |= others[other] == UNKNOWN;
    }
    int[] rackOf = racks(topology, others, stored(others));
    for (int column = 0; column < rackOf.length; column++) {
      boolean own = column == columnOf[block];
      boolean open = rackOf[column] == NOWHERE && unknown[column];
      if (open || (!own && rackOf[column] == rack)) {
        return false; // one in an unknown rack may turn out to be in this one, or not
      }
    }
    int home = rackOf[columnOf[block]];
    return home == rack || home == NOWHERE;
  }

  @Override
  public Map<Integer, String> breaches(Topology topology, int[] nodeOf, List<Integer> claims) {
    List<Integer> known = claims.stream().filter(block -> nodeOf[block] >= 0).toList();
    int[] rackOf = racks(topology, nodeOf, known);
    Set<Integer> taken = new HashSet<>();
    Map<Integer, String> breaches = new TreeMap<>();
    for (int block : known) {
      int rack = topology.rackOf(nodeOf[block]);
      int home = rackOf[columnOf[block]];
      if (rack != home) {
        breaches.put(block, breach(topology, rack, home, rackOf));
      } else if (!taken.add(nodeOf[block])) {
        breaches.put(
            block,
            "node %s holds more than one of its blocks, at most 1 is promised"
                .formatted(topology.nodeName(nodeOf[block])));
      }
    }
    return breaches;
  }

  private String breach(Topology topology, int rack, int home, int[] rackOf) {
    String name = "rack " + topology.rackName(rack);
    if (!allows(rack)) {
      return "%s holds one of its blocks and is none of its %d target racks"
          .formatted(name, targetRacks.size());
    }
    if (home != NOWHERE) {
      return "%s holds a block of the column of rack %s, each of its %d columns is promised a rack"
          .formatted(name, topology.rackName(home), rackOf.length);
    }
    return "%s holds blocks of two columns, each of its %d columns is promised a rack of its own"
        .formatted(name, rackOf.length);
  }
}
