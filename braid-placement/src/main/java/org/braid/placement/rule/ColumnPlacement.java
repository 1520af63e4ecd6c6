package org.braid.placement.rule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.RandomChoice;
import org.braid.placement.Topology;
import org.braid.placement.flow.FlowCheck;
import org.braid.placement.flow.FlowMatching;
import org.braid.placement.flow.HungarianMethod;
import org.jspecify.annotations.Nullable;

/**
 * Places the stripes of codes whose stripe is a grid (R-STAIR section III-A): each column of the
 * grid in a rack of its own, each block of a column on a node of its own.
 */
final class ColumnPlacement {
  /** In place of a rack: none. */
  private static final int NO_RACK = -1;

  private ColumnPlacement() {}

  /** The blocks of each column of a code's grid, ascending. */
  static List<List<Integer>> columns(ErasureCode code) {
    List<Integer> rackOf =
        code.racks()
            .orElseThrow(
                () -> new IllegalArgumentException(code.name() + " has no grid of racks and rows"));
    List<List<Integer>> columns = new ArrayList<>();
    for (int column = 0; column <= rackOf.stream().mapToInt(r -> r).max().orElse(-1); column++) {
      int of = column;
      columns.add(IntStream.range(0, code.n()).filter(b -> rackOf.get(b) == of).boxed().toList());
    }
    return columns;
  }

  /**
   * Lays out a stripe with the fewest relocations: assigns columns to racks so that the most data
   * blocks can keep a replica. A block without a replica in its rack goes to a random free node of
   * the rack.
   *
   * @param eligible nodes that may hold a block; replicas elsewhere are not kept
   * @param replicas for each data block the nodes with a good replica; blocks beyond the list have
   *     none
   * @param limits only its target racks count: blocks a rack are those of a column
   * @throws PlacementException when there are fewer racks with enough nodes than columns
   */
  static EncodedStripe layout(
      EligibleNodes eligible,
      ErasureCode code,
      List<int[]> replicas,
      StripeLimits limits,
      RandomGenerator random) {
    Plan plan = plan(eligible, columns(code), code.name(), replicas, limits, random);
    boolean[] taken = new boolean[eligible.topology().nodes()];
    Arrays.stream(plan.nodeOf).filter(node -> node >= 0).forEach(node -> taken[node] = true);
    List<Integer> relocated = new ArrayList<>();
    int[] nodes = Arrays.copyOf(plan.nodeOf, code.n());
    for (int block = 0; block < nodes.length; block++) {
      if (nodes[block] == EligibleNodes.NONE) {
        nodes[block] =
            RandomChoice.pick(eligible.in(plan.rackOf[block]), node -> !taken[node], random);
        taken[nodes[block]] = true;
        if (block < replicas.size()) {
          relocated.add(block);
        }
      }
    }
    return EncodedStripe.of(nodes, code.k(), relocated);
  }

  /** Number of data blocks that can keep a replica. */
  static int kept(
      EligibleNodes eligible, ErasureCode code, List<int[]> replicas, StripeLimits limits) {
    return plan(eligible, columns(code), code.name(), replicas, limits, null).kept();
  }

  /** The check of the next block. */
  static FlowCheck after(
      EligibleNodes eligible, ErasureCode code, List<int[]> replicas, StripeLimits limits) {
    return new Test(eligible, columns(code), code.name(), replicas, limits);
  }

  private record Test(
      EligibleNodes eligible,
      List<List<Integer>> columns,
      String code,
      List<int[]> replicas,
      StripeLimits limits)
      implements FlowCheck {
    @Override
    public int size() {
      return kept(replicas);
    }

    private int kept(List<int[]> blocks) {
      return plan(eligible, columns, code, blocks, limits, null).kept();
    }

    @Override
    public boolean acceptsAny(int[] nodes) {
      List<int[]> more = new ArrayList<>(replicas);
      more.add(nodes);
      return kept(more) == more.size();
    }
  }

  /**
   * The rack of each block of the stripe, and the node of the replica that it keeps; -1 for none.
   */
  @SuppressWarnings("ArrayRecordComponent") // a plain carrier: never compared, never a key
  private record Plan(int[] rackOf, int[] nodeOf) {
    int kept() {
      return (int) Arrays.stream(nodeOf).filter(node -> node >= 0).count();
    }
  }

  private static Plan plan(
      EligibleNodes eligible,
      List<List<Integer>> columns,
      String code,
      List<int[]> replicas,
      StripeLimits limits,
      @Nullable RandomGenerator random) {
    List<Integer> racks = racks(eligible, columns, code, limits);
    if (random != null) {
      // The assignment prefers early racks of equally good ones: a random order spreads the load.
      RandomChoice.shuffle(racks, random);
    }
    FlowMatching[][] matchings = new FlowMatching[columns.size()][racks.size()];
    int[][] gain = new int[columns.size()][racks.size()];
    for (int column = 0; column < gain.length; column++) {
      Set<Integer> holding = racksOf(eligible.topology(), columns.get(column), replicas);
      FlowMatching none = within(eligible, NO_RACK, columns.get(column), replicas);
      for (int i = 0; i < racks.size(); i++) {
        // Few racks hold anything of a column, and a cluster has many.
        matchings[column][i] =
            holding.contains(racks.get(i))
                ? within(eligible, racks.get(i), columns.get(column), replicas)
                : none;
        gain[column][i] = matchings[column][i].size();
      }
    }
    int[] assigned = HungarianMethod.best(gain);
    int[] rackOf = new int[columns.stream().mapToInt(List::size).sum()];
    int[] nodeOf = new int[rackOf.length];
    for (int column = 0; column < assigned.length; column++) {
      List<Integer> blocks = columns.get(column);
      for (int i = 0; i < blocks.size(); i++) {
        rackOf[blocks.get(i)] = racks.get(assigned[column]);
        nodeOf[blocks.get(i)] = matchings[column][assigned[column]].nodeOf(i);
      }
    }
    return new Plan(rackOf, nodeOf);
  }

  /**
   * The racks that can take a column.
   *
   * @throws PlacementException when they are fewer than the columns
   */
  static List<Integer> racks(
      EligibleNodes eligible, List<List<Integer>> columns, String code, StripeLimits limits) {
    int rows = columns.stream().mapToInt(List::size).max().orElseThrow();
    List<Integer> racks = new ArrayList<>();
    for (int rack = 0; rack < eligible.topology().racks(); rack++) {
      if (limits.allows(rack) && eligible.in(rack).length >= rows) {
        racks.add(rack);
      }
    }
    if (racks.size() < columns.size()) {
      throw new PlacementException(
          "racks",
          columns.size(),
          racks.size(),
          ("%s needs %d racks of %d nodes, one for each column of its grid, %d racks that it may use"
                  + " have so many: add racks, or nodes to the small ones, or choose a code with a"
                  + " smaller grid")
              .formatted(code, columns.size(), rows, racks.size()));
    }
    return racks;
  }

  /** The racks with replicas of blocks of a column. */
  private static Set<Integer> racksOf(
      Topology topology, List<Integer> column, List<int[]> replicas) {
    Set<Integer> racks = new HashSet<>();
    for (int block : column) {
      for (int node : block < replicas.size() ? replicas.get(block) : new int[0]) {
        racks.add(topology.rackOf(node));
      }
    }
    return racks;
  }

  /** Which blocks of a column can keep a replica if the column is in this rack. */
  private static FlowMatching within(
      EligibleNodes eligible, int rack, List<Integer> column, List<int[]> replicas) {
    Topology topology = eligible.topology();
    List<int[]> present =
        column.stream()
            .map(block -> block < replicas.size() ? replicas.get(block) : new int[0])
            .map(
                nodes ->
                    Arrays.stream(nodes)
                        .filter(n -> topology.rackOf(n) == rack && eligible.contains(n))
                        .toArray())
            .toList();
    return FlowMatching.of(topology, present, r -> r == rack ? column.size() : 0);
  }
}
