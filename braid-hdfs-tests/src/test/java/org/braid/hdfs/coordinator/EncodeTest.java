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
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.braid.code.Codes;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.ConvertRequest.Encode;
import org.braid.hdfs.api.ConvertRequest.Encoder;
import org.braid.hdfs.api.ConvertRequest.Group;
import org.braid.hdfs.api.ConvertRequest.Homes;
import org.braid.hdfs.api.ConvertRequest.Method;
import org.braid.hdfs.coordinator.convert.EncodeChoice;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.testing.Disks;
import org.braid.hdfs.testing.ExactFiles;
import org.braid.placement.Topology;
import org.braid.plan.cost.Network;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parity computed on its way, and homes that load nodes evenly. */
final class EncodeTest {
  private static final Random RANDOM = Seeds.random(EncodeTest.class);
  @RegisterExtension static final SharedCluster fixture = new SharedCluster(6, 12);

  private static Method encode(Encode how) {
    return new Method(Encoder.CORE_RACK, Group.ORDER, how, Homes.EVEN);
  }

  private static List<List<Integer>> parity(String path) throws Exception {
    List<Long> ids = fixture.files(path).get(0).blocks().stream().map(b -> b.block().id()).toList();
    try (NameNodeCalls calls = fixture.calls()) {
      return ids.stream()
          // What is still being deleted changes from call to call.
          .map(id -> stripe(calls, id).stripe())
          .distinct()
          .map(
              stripe ->
                  stripe.members().stream()
                      .filter(m -> m.replication() == 0 && !m.isVirtual())
                      .map(m -> m.crc())
                      .toList())
          .toList();
    }
  }

  private static StripeStatus stripe(NameNodeCalls calls, long id) {
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
    fixture.write(gathered, 9 * ClusterFixture.BLOCK - 300, 3, new Random(seed));
    fixture.write(pipelined, 9 * ClusterFixture.BLOCK - 300, 3, new Random(seed));
    assertEquals(0, fixture.convert(encode(Encode.GATHER), code, gathered).pipelinedStripes());
    ConvertReport report = fixture.convert(encode(Encode.PIPELINED), code, pipelined);
    assertEquals(List.of(), report.skipped());
    assertEquals(report.stripes(), report.pipelinedStripes());
    assertEquals(0, report.crossRackDataBlocks());
    assertEquals(parity(gathered), parity(pipelined));
    fixture.assertConverted(pipelined);
    fixture.assertReads(pipelined);
    fixture.assertTolerant(pipelined);
    fixture.assertClean("/");
  }

  /** Sources with bad bytes are found out, whoever reads them, and others are taken. */
  @Test
  void badSourcesAreReplacedInPipelines() throws Exception {
    fixture.write("/bad/f", 6 * ClusterFixture.BLOCK, 3, RANDOM);
    for (BlockStatus block : fixture.files("/bad/f").get(0).blocks().subList(0, 2)) {
      int node = fixture.hdfs.indexOf(block.replicas().get(0).node()).orElseThrow();
      Disks.flip(fixture.hdfs, node, block.block().id(), 100);
    }
    ConvertReport report = fixture.convert(encode(Encode.PIPELINED), "rs-6-3", "/bad");
    assertEquals(List.of(), report.skipped());
    assertEquals(1, report.pipelinedStripes());
    fixture.assertReads("/bad/f");
    fixture.assertTolerant("/bad");
    fixture.assertClean("/bad");
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
    fixture.write("/near/f", 42 * ClusterFixture.BLOCK, 3, RANDOM);
    writeWithFullestRack("/near/g");
    List<BlockStatus> before =
        Stream.of("/near/f", "/near/g").flatMap(path -> blocks(path).stream()).toList();
    ConvertReport report =
        fixture.convert(
            new Method(Encoder.CORE_RACK, Group.ORDER, Encode.GATHER, Homes.NEAR),
            "rs-6-3",
            "/near");
    assertEquals(List.of(), report.skipped());
    fixture.assertTolerant("/near");
    int checked = 0;
    try (NameNodeCalls calls = fixture.calls()) {
      for (int first = 0; first < before.size(); first += 6) {
        Map<String, Integer> held = new HashMap<>();
        before
            .subList(first, first + 6)
            .forEach(block -> racks(block).forEach(rack -> held.merge(rack, 1, Integer::sum)));
        int most = Collections.max(held.values());
        List<String> fullest =
            held.keySet().stream().filter(rack -> held.get(rack) == most).toList();
        if (fullest.size() == 1) {
          StripeStatus stripe = stripe(calls, before.get(first).block().id());
          List<String> homes =
              stripe.stripe().members().stream().map(m -> fixture.rack(m.home())).toList();
          assertEquals(2, Collections.frequency(homes, fullest.get(0)), homes.toString());
          checked++;
        }
      }
    }
    assertTrue(checked > 0, "no stripe of 8 has a fullest rack");
  }

  private static List<BlockStatus> blocks(String path) {
    try {
      return fixture.files(path).get(0).blocks();
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Six blocks, all in rack 0, and three of them in each of four other racks. */
  private static void writeWithFullestRack(String path) throws Exception {
    byte[] content = new byte[3 * ClusterFixture.BLOCK];
    RANDOM.nextBytes(content);
    ExactFiles exact = new ExactFiles(fixture.hdfs, fixture.fs);
    Path whole = new Path(path);
    Path rest = new Path(path + ".rest");
    exact.writeOn(whole, content, ClusterFixture.BLOCK, 0, 1, 2);
    exact.writeOn(rest, content, ClusterFixture.BLOCK, 6, 3, 4);
    fixture.fs.concat(whole, new Path[] {rest});
    fixture.awaitReplicas(path, 3);
  }

  private static Set<String> racks(BlockStatus block) {
    return block.replicas().stream()
        .map(replica -> fixture.rack(replica.node()))
        .collect(Collectors.toSet());
  }

  @Test
  void homesAreSpreadEvenly() throws Exception {
    fixture.write("/even/f", 48 * ClusterFixture.BLOCK, 3, RANDOM);
    ConvertReport.ReadShare share =
        fixture.convert(encode(Encode.AUTO), "rs-6-3", "/even").readShare();
    assertEquals(1.0 / 12, share.even(), 1e-9);
    assertEquals(share.fileAfter(), share.allAfter(), 1e-9);
    // 4 of 48 blocks on each of 12 nodes would be even.
    assertTrue(share.fileAfter() <= 6.0 / 48 + 1e-9, share.toString());
    assertTrue(share.fileBefore() > 0, share.toString());
  }
}
