package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.replication.PreEncodingStore;
import org.braid.placement.rule.StripeRule;

/**
 * What placement across files promises, whichever NameNodes placed the blocks: those of a core rack
 * in the order of their ids, k at a time, can all keep a replica under the rule of their stripe. So
 * conversion downloads and moves blocks only of last stripes that never became full, where it puts
 * these together for less parity.
 *
 * @param unfilled blocks of such stripes
 */
record ForeseenStripes(int unfilled) {
  private static final int REPLICAS = 3;

  /** Asserts that all blocks below a path were placed for stripes under a rule. */
  static ForeseenStripes of(
      ClusterFixture fixture, String path, Function<EligibleNodes, StripeRule> rules)
      throws IOException {
    Topology.Builder builder = Topology.builder();
    for (int node = 0; node < fixture.hdfs.nodes(); node++) {
      String uuid = fixture.hdfs.uuid(node);
      builder.add(uuid, fixture.rack(uuid), "site" + fixture.site(node));
    }
    Topology topology = builder.build();
    EligibleNodes all = EligibleNodes.all(topology);
    StripeRule rule = rules.apply(all);
    List<BlockStatus> blocks =
        new ArrayList<>(
            fixture.files(path).stream().flatMap(file -> file.blocks().stream()).toList());
    blocks.sort(Comparator.comparingLong(block -> block.block().id()));
    Map<Integer, List<int[]>> cores = new TreeMap<>();
    for (BlockStatus block : blocks) {
      int[] nodes =
          block.replicas().stream()
              .mapToInt(replica -> topology.indexOf(replica.node()).orElseThrow())
              .toArray();
      assertEquals(REPLICAS, nodes.length);
      int core = PreEncodingStore.coreRack(nodes, topology);
      cores.computeIfAbsent(core, rack -> new ArrayList<>()).add(nodes);
    }
    int k = rule.code().k();
    int unfilled = 0;
    for (List<int[]> placed : cores.values()) {
      for (int from = 0; from < placed.size(); from += k) {
        List<int[]> stripe = placed.subList(from, Math.min(placed.size(), from + k));
        assertTrue(rule.keeps(all, stripe, stripe.size()), "not all blocks of a stripe can stay");
        unfilled += stripe.size() < k ? stripe.size() : 0;
      }
    }
    return new ForeseenStripes(unfilled);
  }

  /** Asserts that conversion formed these stripes. */
  void assertFormed(ConvertReport report) {
    String text = unfilled + " blocks of stripes that are not full, " + report.grouping();
    assertTrue(report.crossRackDataBlocks() <= unfilled, text);
    assertTrue(report.relocatedBlocks() <= unfilled, text);
  }
}
