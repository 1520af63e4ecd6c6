package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.ConvertRequest.Encode;
import org.braid.hdfs.api.ConvertRequest.Encoder;
import org.braid.hdfs.api.ConvertRequest.Group;
import org.braid.hdfs.api.ConvertRequest.Homes;
import org.braid.hdfs.api.ConvertRequest.Method;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.StripeStatusProto;
import org.braid.hdfs.testing.Disks;
import org.braid.placement.Topology;
import org.braid.plan.Network;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parity computed on its way, and homes that load nodes evenly. */
final class EncodeTest {
  private static final Random RANDOM = Seeds.random(EncodeTest.class);
  private static Lab lab;

  @BeforeAll
  static void start() throws Exception {
    lab = new Lab(6, 12);
  }

  @AfterAll
  static void stop() throws Exception {
    lab.close();
  }

  private static Method encode(Encode how) {
    return new Method(Encoder.CORE_RACK, Group.ORDER, how, Homes.EVEN);
  }

  private static List<List<Integer>> parity(String path) throws Exception {
    List<Long> ids =
        lab.files(path).get(0).getBlocksList().stream().map(b -> b.getBlock().getId()).toList();
    try (NameNodeCalls calls = lab.calls()) {
      return ids.stream()
          // What is still being deleted changes from call to call.
          .map(id -> stripe(calls, id).getStripe())
          .distinct()
          .map(
              stripe ->
                  stripe.getMembersList().stream()
                      .filter(m -> !m.hasReplication() && m.hasBlock())
                      .map(m -> m.getCrc32C())
                      .toList())
          .toList();
    }
  }

  private static StripeStatusProto stripe(NameNodeCalls calls, long id) {
    try {
      return calls.stripesOf(List.of(id)).get(0);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** The same content gathered and pipelined gives the same parity, with short stripes, too. */
  @ParameterizedTest
  @ValueSource(strings = {"rs-6-3", "lrc-4-2-1"})
  void pipelinesGiveTheParityThatGatheringGives(String code) throws Exception {
    String gathered = "/gathered-" + code + "/f";
    String pipelined = "/pipelined-" + code + "/f";
    long seed = RANDOM.nextLong();
    lab.write(gathered, 9 * Lab.BLOCK - 300, 3, new Random(seed));
    lab.write(pipelined, 9 * Lab.BLOCK - 300, 3, new Random(seed));
    assertEquals(0, lab.convert(encode(Encode.GATHER), code, gathered).pipelinedStripes());
    ConvertReport report = lab.convert(encode(Encode.PIPELINED), code, pipelined);
    assertEquals(List.of(), report.skipped());
    assertEquals(report.stripes(), report.pipelinedStripes());
    assertEquals(0, report.crossRackDataBlocks());
    assertEquals(parity(gathered), parity(pipelined));
    lab.assertConverted(pipelined);
    lab.assertReads(pipelined);
    lab.assertTolerant(pipelined);
    lab.assertClean("/");
  }

  /** Sources with bad bytes are found out, whoever reads them, and others are taken. */
  @Test
  void badSourcesAreReplacedInPipelines() throws Exception {
    lab.write("/bad/f", 6 * Lab.BLOCK, 3, RANDOM);
    for (BlockStatusProto block : lab.files("/bad/f").get(0).getBlocksList().subList(0, 2)) {
      int node = lab.hdfs.indexOf(block.getReplicas(0).getNode()).orElseThrow();
      Disks.flip(lab.hdfs, node, block.getBlock().getId(), 100);
    }
    ConvertReport report = lab.convert(encode(Encode.PIPELINED), "rs-6-3", "/bad");
    assertEquals(List.of(), report.skipped());
    assertEquals(1, report.pipelinedStripes());
    lab.assertReads("/bad/f");
    lab.assertTolerant("/bad");
    lab.assertClean("/bad");
  }

  /** Alone a pipeline is faster; with many stripes at once what all links carry counts. */
  @Test
  void autoComparesByTheCostModel() {
    var code = Codes.named("rs-6-3");
    var nodes = new EncodeChoice.Nodes(IntStream.range(0, 6).toArray(), 0, new int[] {20, 40, 60});
    Topology topology = Topology.of(8, 10);
    for (int atOnce : new int[] {1, 1000}) {
      boolean pipelined =
          EncodeChoice.isPipelined(
              new EncodeChoice(code, Encode.AUTO, atOnce, 1 << 18, Network.Rates.DEFAULT)
                  .plan(topology, nodes, 128L << 20));
      assertEquals(atOnce == 1, pipelined, atOnce + " at once");
    }
  }

  /** A pipeline moves more in all, but less between sites when most data is at the other one. */
  @Test
  void autoKnowsTheLinksOfSites() {
    var code = Codes.named("rs-6-3");
    var nodes = new EncodeChoice.Nodes(new int[] {0, 40, 41, 42, 43, 44}, 0, new int[] {9, 19, 29});
    Topology topology = Topology.of(2, 4, 10);
    for (double site : new double[] {Double.POSITIVE_INFINITY, 1e8}) {
      Network.Rates rates = new Network.Rates(1.25e9, 1, site);
      boolean pipelined =
          EncodeChoice.isPipelined(
              new EncodeChoice(code, Encode.AUTO, 1000, 1 << 18, rates)
                  .plan(topology, nodes, 128L << 20));
      assertEquals(site == 1e8, pipelined, site + " bytes a second between sites");
    }
  }

  /** The rack that encodes, of all the one with most of the data, is filled up with parity. */
  @Test
  void nearHomesFillTheRackThatEncodes() throws Exception {
    lab.write("/near/f", 48 * Lab.BLOCK, 3, RANDOM);
    List<BlockStatusProto> before = lab.files("/near/f").get(0).getBlocksList();
    ConvertReport report =
        lab.convert(
            new Method(Encoder.CORE_RACK, Group.ORDER, Encode.GATHER, Homes.NEAR),
            "rs-6-3",
            "/near");
    assertEquals(List.of(), report.skipped());
    lab.assertTolerant("/near");
    int checked = 0;
    try (NameNodeCalls calls = lab.calls()) {
      for (int first = 0; first < before.size(); first += 6) {
        Map<String, Integer> held = new HashMap<>();
        before
            .subList(first, first + 6)
            .forEach(block -> racks(block).forEach(rack -> held.merge(rack, 1, Integer::sum)));
        int most = Collections.max(held.values());
        List<String> fullest =
            held.keySet().stream().filter(rack -> held.get(rack) == most).toList();
        if (fullest.size() == 1) {
          StripeStatusProto stripe = stripe(calls, before.get(first).getBlock().getId());
          List<String> homes =
              stripe.getStripe().getMembersList().stream().map(m -> lab.rack(m.getHome())).toList();
          assertEquals(2, Collections.frequency(homes, fullest.get(0)), homes.toString());
          checked++;
        }
      }
    }
    assertTrue(checked > 0, "no stripe of 8 has a fullest rack");
  }

  private static Set<String> racks(BlockStatusProto block) {
    return block.getReplicasList().stream()
        .map(replica -> lab.rack(replica.getNode()))
        .collect(Collectors.toSet());
  }

  @Test
  void homesAreSpreadEvenly() throws Exception {
    lab.write("/even/f", 48 * Lab.BLOCK, 3, RANDOM);
    ConvertReport.ReadShare share = lab.convert(encode(Encode.AUTO), "rs-6-3", "/even").readShare();
    assertEquals(1.0 / 12, share.even(), 1e-9);
    assertEquals(share.fileAfter(), share.allAfter(), 1e-9);
    // 4 of 48 blocks on each of 12 nodes would be even.
    assertTrue(share.fileAfter() <= 6.0 / 48 + 1e-9, share.toString());
    assertTrue(share.fileBefore() > 0, share.toString());
  }
}
