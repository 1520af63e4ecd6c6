package org.braid.sim.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.placement.Topology;
import org.braid.placement.rule.StripeLimits;
import org.braid.placement.rule.StripeRule;
import org.braid.placement.rule.StripeRules;
import org.braid.sim.time.RandomStreams;
import org.junit.jupiter.api.Test;

final class CompactStripesTest {
  private final Topology topology = Topology.of(15, 4);

  private CompactStripes table(long stripes) {
    return new CompactStripes(topology, 14, stripes, new RandomStreams(1).of("stripes"));
  }

  @Test
  void stripesKeepTheRuleOfOneBlockARack() {
    StripeRule rule = StripeRules.of(Codes.named("rs-10-4"), StripeLimits.perRack(1));
    List<Integer> all = IntStream.range(0, 14).boxed().toList();
    CompactStripes table = table(70_000);
    assertEquals(70_000, table.size());
    for (long stripe = 65_000; stripe < 66_000; stripe++) {
      assertTrue(rule.breaches(topology, table.nodes(stripe), all).isEmpty());
    }
  }

  @Test
  void nodesHoldEquallyManyBlocks() {
    CompactStripes table = table(20_000);
    int[] held = new int[topology.nodes()];
    for (long stripe = 0; stripe < table.size(); stripe++) {
      for (int node : table.nodes(stripe)) {
        held[node]++;
      }
    }
    double mean = 20_000.0 * 14 / held.length;
    for (int blocks : held) {
      assertEquals(mean, blocks, 5 * Math.sqrt(mean));
    }
  }

  @Test
  void stripesOfANodeAreFound() {
    CompactStripes table = table(70_000);
    boolean[] nodes = new boolean[topology.nodes()];
    nodes[3] = true;
    nodes[9] = true;
    List<Long> expected = new ArrayList<>();
    for (long stripe = 0; stripe < table.size(); stripe++) {
      if (IntStream.of(table.nodes(stripe)).anyMatch(node -> nodes[node])) {
        expected.add(stripe);
      }
    }
    assertEquals(expected, table.on(nodes));
  }

  @Test
  void refusesTooFewRacks() {
    assertEquals(
        "stripes of 16 blocks, each in a rack of its own, on 15 racks",
        assertThrows(
                IllegalArgumentException.class,
                () -> new CompactStripes(topology, 16, 1, new RandomStreams(1).of("stripes")))
            .getMessage());
  }
}
