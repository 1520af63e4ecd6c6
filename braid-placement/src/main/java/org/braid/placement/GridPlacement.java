package org.braid.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.placement.StripePlacement.StripeLayout;
import org.jspecify.annotations.Nullable;

/**
 * Places for codes whose stripe is a grid (R-STAIR section III-A): each column of the grid in a
 * rack of its own, each of its rows on a node of its own.
 */
final class GridPlacement {
  private GridPlacement() {}

  /** The columns of a code's grid: for each the blocks, ascending. */
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
   * Lays out a stripe with the fewest relocations: columns are assigned to racks such that the most
   * data blocks can keep a replica; which of the free nodes of a rack gets a block is random.
   *
   * @param eligible nodes that may hold a block; replicas elsewhere are not kept
   * @param replicas for each data block the nodes with a good replica; blocks beyond the list are
   *     new
   * @param limits only its target racks count: blocks a rack are those of a column
   * @throws PlacementException when there are fewer racks with enough nodes than columns
   */
  static StripeLayout layout(
      Topology topology,
      IntPredicate eligible,
      ErasureCode code,
      List<int[]> replicas,
      StripeLimits limits,
      RandomGenerator random) {
    Candidates candidates = new Candidates(topology, eligible);
    Plan plan = plan(candidates, columns(code), code.name(), replicas, limits, random);
    boolean[] taken = new boolean[topology.nodes()];
    Arrays.stream(plan.nodeOf).filter(node -> node >= 0).forEach(node -> taken[node] = true);
    List<Integer> relocated = new ArrayList<>();
    int[] nodes = Arrays.copyOf(plan.nodeOf, code.n());
    for (int block = 0; block < nodes.length; block++) {
      if (nodes[block] == Candidates.NONE) {
        nodes[block] =
            Candidates.pick(candidates.in(plan.rackOf[block]), node -> !taken[node], random);
        taken[nodes[block]] = true;
        if (block < replicas.size()) {
          relocated.add(block);
        }
      }
    }
    int k = code.k();
    return new StripeLayout(
        Arrays.copyOf(nodes, k), relocated, Arrays.copyOfRange(nodes, k, nodes.length));
  }

  /** Data blocks that can keep a replica. */
  static int kept(
      Topology topology,
      IntPredicate eligible,
      ErasureCode code,
      List<int[]> replicas,
      StripeLimits limits) {
    Candidates candidates = new Candidates(topology, eligible);
    return plan(candidates, columns(code), code.name(), replicas, limits, null).kept();
  }

  /** Encoding-aware replication under which a stripe of the grid needs no relocation. */
  static EncodingAwareReplication replication(
      Topology topology,
      ErasureCode code,
      StripeLimits limits,
      ReplicaLayout layout,
      int maxAttempts) {
    List<List<Integer>> columns = columns(code);
    EncodingAwareReplication.Rules rules =
        new EncodingAwareReplication.Rules() {
          @Override
          public FlowTest after(
              IntPredicate eligible, List<int[]> replicas, RandomGenerator random) {
            Candidates candidates = new Candidates(topology, eligible);
            return new Test(candidates, columns, code.name(), replicas, limits);
          }

          @Override
          public String text() {
            return "with a rack for each of the %d columns".formatted(columns.size());
          }
        };
    return new EncodingAwareReplication(topology, rules, layout, maxAttempts);
  }

  private record Test(
      Candidates candidates,
      List<List<Integer>> columns,
      String code,
      List<int[]> replicas,
      StripeLimits limits)
      implements FlowTest {
    @Override
    public int size() {
      return kept(replicas);
    }

    private int kept(List<int[]> blocks) {
      return plan(candidates, columns, code, blocks, limits, null).kept();
    }

    @Override
    public boolean acceptsAny(int[] nodes) {
      List<int[]> more = new ArrayList<>(replicas);
      more.add(nodes);
      return kept(more) == more.size();
    }
  }

  /** The rack of each block of the stripe, and the node where it keeps a replica or -1. */
  @SuppressWarnings("ArrayRecordComponent") // a plain carrier: never compared, never a key
  private record Plan(int[] rackOf, int[] nodeOf) {
    int kept() {
      return (int) Arrays.stream(nodeOf).filter(node -> node >= 0).count();
    }
  }

  private static Plan plan(
      Candidates candidates,
      List<List<Integer>> columns,
      String code,
      List<int[]> replicas,
      StripeLimits limits,
      @Nullable RandomGenerator random) {
    List<Integer> racks = racks(candidates, columns, code, limits);
    if (random != null) {
      // Among equally good racks the assignment prefers early ones, which must not fill first.
      for (int i = racks.size() - 1; i > 0; i--) {
        racks.set(i, racks.set(random.nextInt(i + 1), racks.get(i)));
      }
    }
    Matching[][] matchings = new Matching[columns.size()][racks.size()];
    int[][] gain = new int[columns.size()][racks.size()];
    for (int column = 0; column < gain.length; column++) {
      for (int i = 0; i < racks.size(); i++) {
        matchings[column][i] = within(candidates, racks.get(i), columns.get(column), replicas);
        gain[column][i] = matchings[column][i].size();
      }
    }
    int[] assigned = Assignment.best(gain);
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
      Candidates candidates, List<List<Integer>> columns, String code, StripeLimits limits) {
    int rows = columns.stream().mapToInt(List::size).max().orElseThrow();
    List<Integer> racks = new ArrayList<>();
    for (int rack = 0; rack < candidates.topology().racks(); rack++) {
      if (limits.allows(rack) && candidates.in(rack).length >= rows) {
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

  /** Which blocks of a column can keep a replica if the column is in this rack. */
  private static Matching within(
      Candidates candidates, int rack, List<Integer> column, List<int[]> replicas) {
    Topology topology = candidates.topology();
    List<int[]> present =
        column.stream()
            .map(block -> block < replicas.size() ? replicas.get(block) : new int[0])
            .map(
                nodes ->
                    Arrays.stream(nodes)
                        .filter(n -> topology.rackOf(n) == rack && candidates.contains(n))
                        .toArray())
            .toList();
    return Matching.of(topology, present, r -> r == rack ? column.size() : 0);
  }
}
