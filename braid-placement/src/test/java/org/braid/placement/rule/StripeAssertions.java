package org.braid.placement.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.code.Promises;
import org.braid.code.Solver;
import org.braid.placement.EligibleNodes;
import org.braid.placement.SmallClusters;
import org.braid.placement.Topology;

/** What every encoded stripe owes. */
public final class StripeAssertions {
  private StripeAssertions() {}

  public static void assertLegal(
      EligibleNodes eligible,
      List<int[]> replicas,
      int parities,
      StripeLimits limits,
      EncodedStripe layout) {
    assertEquals(replicas.size(), layout.dataNodes().length);
    assertEquals(parities, layout.parityNodes().length);
    int[] all = layout.nodes();
    assertTrue(SmallClusters.legal(eligible, limits, all), Arrays.toString(all));
    List<Integer> moved = new ArrayList<>();
    for (int block = 0; block < replicas.size(); block++) {
      int node = layout.dataNodes()[block];
      if (Arrays.stream(replicas.get(block)).noneMatch(r -> r == node)) {
        moved.add(block);
      }
    }
    assertEquals(moved, layout.relocated());
  }

  /** Every choice of racks is taken away and the rest decoded. */
  public static void assertSurvives(
      ErasureCode code, Topology topology, int failures, EncodedStripe layout) {
    int[] nodes = layout.nodes();
    assertEquals(code.n(), Arrays.stream(nodes).distinct().count());
    new Promises.Combinations(topology.racks(), failures)
        .each(
            racks -> {
              List<Integer> lost =
                  IntStream.range(0, nodes.length)
                      .filter(block -> racks.contains(topology.rackOf(nodes[block])))
                      .boxed()
                      .toList();
              assertTrue(Solver.decodable(code, lost), code.name() + " without racks " + racks);
              return true;
            });
  }
}
