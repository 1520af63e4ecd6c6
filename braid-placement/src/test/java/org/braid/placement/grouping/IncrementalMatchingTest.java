package org.braid.placement.grouping;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.braid.code.Codes;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.grouping.IncrementalMatching.Context;
import org.braid.placement.replication.RandomReplication;
import org.braid.placement.replication.ReplicaLayout;
import org.braid.placement.rule.StripeLimits;
import org.braid.placement.rule.StripeRule;
import org.braid.placement.rule.StripeRules;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

class IncrementalMatchingTest {
  private static final int K = 6;

  /** Few racks, so that most blocks are refused, one after the other and between those taken. */
  @Test
  void blocksAreTakenAndRefusedAsTheFlowNetworkSays() {
    Random random = Seeds.random(IncrementalMatchingTest.class);
    int refused = 0;
    int taken = 0;
    for (int run = 0; run < 40; run++) {
      Topology topology = Topology.of(3 + random.nextInt(4), 2 + random.nextInt(2));
      StripeLimits limits = StripeLimits.perRack(1 + random.nextInt(2));
      EligibleNodes all = EligibleNodes.all(topology);
      ReplicaTable.Builder builder = ReplicaTable.builder();
      int count = 60;
      for (int block = 0; block < count; block++) {
        builder.add(RandomReplication.place(all, -1, 2, ReplicaLayout.HDFS, random));
      }
      ReplicaTable table = builder.build();
      StripeRule rule = StripeRules.of(Codes.named("rs-6-3"), limits);
      Context context = new Context(all, table, rule);
      IncrementalMatching[] stripes = {
        new IncrementalMatching(context, K), new IncrementalMatching(context, K)
      };
      List<List<int[]>> kept = List.of(new ArrayList<>(), new ArrayList<>());
      int one = 0;
      for (int block = 0; block < count; block++) {
        // Mostly the same stripe again, sometimes the other one in between.
        one = random.nextInt(5) == 0 ? 1 - one : one;
        if (stripes[one].isFull()) {
          continue;
        }
        List<int[]> with = new ArrayList<>(kept.get(one));
        with.add(table.nodes(block));
        boolean fits = limits.matching(topology, with).size() == with.size();
        assertEquals(fits, stripes[one].addIfKept(block), "block " + block + " of run " + run);
        if (fits) {
          kept.get(one).add(table.nodes(block));
          taken++;
        } else {
          refused++;
        }
        assertEquals(kept.get(one).size(), stripes[one].size());
        assertEquals(0, stripes[one].relocations());
      }
    }
    assertTrue(taken > 100 && refused > 100, taken + " taken, " + refused + " refused");
  }

  /** More racks than a word has bits. */
  @Test
  void racksAreToldApartHoweverMany() {
    Topology topology = Topology.of(130, 1);
    ReplicaTable table = ReplicaTable.builder().add(1, 70).add(65).build();
    StripeRule rule = StripeRules.of(Codes.named("rs-6-3"), StripeLimits.perRack(1));
    Context context = new Context(EligibleNodes.all(topology), table, rule);
    for (int rack = 0; rack < topology.racks(); rack++) {
      assertEquals(rack == 1 || rack == 70, context.isInRack(0, rack), "rack " + rack);
      assertEquals(rack == 65, context.isInRack(1, rack), "rack " + rack);
    }
  }
}
