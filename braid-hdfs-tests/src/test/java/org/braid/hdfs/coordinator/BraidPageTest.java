package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.net.NetUtils;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.policy.Action;
import org.braid.hdfs.policy.Policy;
import org.braid.hdfs.policy.PolicySet;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the page of the NameNode's web server says of a running cluster. */
final class BraidPageTest {
  private static final Random RANDOM = Seeds.random(BraidPageTest.class);
  private static final int BLOCK = ClusterFixture.BLOCK;
  private static final String FILE = "/d/f";

  /** Renewals of a lease and the page's own looks are seconds apart. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static ClusterFixture fixture;

  @BeforeAll
  static void start() throws Exception {
    // A node that stops is silent until the test has it called dead.
    Map<String, String> silence =
        Map.of(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, "60000");
    fixture = new ClusterFixture(1, 5, 10, silence, 2);
  }

  @AfterAll
  static void stop() throws Exception {
    fixture.close();
  }

  @AfterEach
  void clear() throws Exception {
    InjectedFaults.clear();
    fixture.startAll();
    fixture.fs.delete(new Path(BraidPaths.POLICIES), true);
    fixture.deleteAll();
    fixture.repair("/", "chain"); // sweeps their parity
  }

  private static String page() throws Exception {
    return Scrape.get(fixture.hdfs.webAddress(), "/braid");
  }

  private static JsonNode json() throws Exception {
    return json(fixture.hdfs.webAddress());
  }

  private static JsonNode json(String address) throws Exception {
    return new ObjectMapper().readTree(Scrape.get(address, "/braid.json"));
  }

  private static JsonNode await(String what, Predicate<JsonNode> right) throws Exception {
    return Await.until(what, PATIENCE, BraidPageTest::json, right);
  }

  private static JsonNode awaitWord(String word) throws Exception {
    return await("the health to be " + word, seen -> word(seen).equals(word));
  }

  private static String word(JsonNode seen) {
    return seen.at("/health/word").asText();
  }

  private static boolean hasCause(JsonNode seen, String begin) {
    return causes(seen).stream().anyMatch(cause -> cause.startsWith(begin));
  }

  private static List<String> causes(JsonNode seen) {
    List<String> causes = new ArrayList<>();
    seen.at("/health/causes").forEach(cause -> causes.add(cause.get("what").asText()));
    return causes;
  }

  private static long sent(JsonNode seen, String cause) {
    long sent = 0;
    for (JsonNode some : seen.at("/traffic/causes")) {
      sent += some.get("cause").asText().equals(cause) ? some.get("bytes").asLong() : 0;
    }
    return sent;
  }

  @Test
  void wordAndCountsAreThoseOfTheClusterBeforeDuringAndAfterTheLossOfANode() throws Exception {
    fixture.write(FILE, 12 * BLOCK, 3, RANDOM);
    JsonNode before =
        await(
            "stripes to be looked at",
            seen ->
                !seen.at("/stripes").isNull()
                    && word(seen).equals("HEALTHY")
                    && seen.at("/stored/replicated_bytes").asLong() == 36L * BLOCK);
    assertEquals("HEALTHY", before.at("/health/word").asText(), before.toString());
    assertEquals(36L * BLOCK, before.at("/stored/replicated_bytes").asLong());
    fixture.convertAll("rs-4-2", FILE);
    JsonNode converted =
        await(
            "the stripes",
            seen ->
                seen.at("/stripes/healthy").asLong() == 3
                    && word(seen).equals("DEGRADED")
                    && hasCause(seen, "no daemon runs")
                    && seen.at("/stored/saved_bytes").asLong() == 18L * BLOCK
                    && seen.at("/stored/codes/0/code").asText().equals("rs-4-2"));
    assertEquals("DEGRADED", converted.at("/health/word").asText());
    assertTrue(causes(converted).get(0).startsWith("no daemon runs"), converted.toString());
    assertEquals(18L * BLOCK, converted.at("/stored/saved_bytes").asLong());
    assertEquals("rs-4-2", converted.at("/stored/codes/0/code").asText());
    int lost = fixture.heaviestNode();
    long blocks = fixture.stripes().stream().filter(s -> fixture.homes(s).contains(lost)).count();
    try (WatchingCoordinator daemon = new WatchingCoordinator(fixture, 3_600_000)) {
      daemon.awaitWatching();
      awaitWord("HEALTHY");
      JsonNode watching =
          await(
              "the daemon to tell",
              seen ->
                  seen.at("/lease/holder").asText().startsWith("daemon at ")
                      && seen.path("lease").path("work").path("phase").asText().equals("watching"));
      assertTrue(watching.at("/lease/holder").asText().startsWith("daemon at "));
      assertEquals("watching", watching.path("lease").path("work").path("phase").asText());
      fixture.hdfs.stopNode(lost);
      JsonNode during =
          await(
              "damage to be seen",
              seen ->
                  seen.at("/stripes/degraded").asLong() == blocks
                      && word(seen).equals("DEGRADED")
                      && hasCause(seen, blocks + " stripe")
                      && hasCause(seen, "1 DataNode not answering"));
      assertEquals("DEGRADED", during.at("/health/word").asText());
      assertTrue(
          causes(during).get(0).startsWith(blocks + " stripe"), during.at("/health").toString());
      assertTrue(causes(during).contains("1 DataNode not answering"), causes(during).toString());
      assertTrue(page().contains("<strong>degraded</strong>"));
      daemon.end();
    }
    fixture.awaitDead();
    long moved = sent(json(), "repair");
    assertEquals(List.of(), fixture.repair("/", "chain").unrepairable());
    JsonNode after =
        await(
            "the repair's bytes to be told, and stripes as they are behind it",
            seen -> sent(seen, "repair") > moved && seen.at("/stripes/healthy").asLong() == 3);
    assertEquals(0, after.at("/stripes/degraded").asLong());
    fixture.startAll();
    try (WatchingCoordinator daemon = new WatchingCoordinator(fixture, 3_600_000)) {
      daemon.awaitWatching();
      assertEquals(List.of(), causes(awaitWord("HEALTHY")));
      assertTrue(page().contains("<strong>healthy</strong>"));
      daemon.end();
    }
  }

  @Test
  void whatNodesMoveIsSummedByRackBesideWhatClientsDo() throws Exception {
    JsonNode idle = json();
    fixture.write(FILE, 12 * BLOCK, 3, RANDOM);
    fixture.convertAll("rs-4-2", FILE);
    fixture.assertReads(FILE);
    JsonNode seen =
        await(
            "traffic to be told",
            now ->
                sent(now, "convert") > sent(idle, "convert")
                    && now.at("/traffic/clients/read_bytes").asLong()
                        >= idle.at("/traffic/clients/read_bytes").asLong() + 12 * BLOCK);
    assertTrue(
        seen.at("/traffic/clients/written_bytes").asLong()
            >= idle.at("/traffic/clients/written_bytes").asLong() + 36 * BLOCK,
        seen.at("/traffic").toString());
    assertEquals(10, seen.get("nodes").size());
    assertEquals(5, seen.get("racks").size());
    long nodes = 0;
    long previous = Long.MAX_VALUE;
    for (JsonNode node : seen.get("nodes")) {
      assertTrue(node.get("sent_bytes").asLong() <= previous, "those that moved most first");
      previous = node.get("sent_bytes").asLong();
      nodes += previous;
    }
    long racks = 0;
    for (JsonNode rack : seen.get("racks")) {
      assertEquals(2, rack.get("nodes").asLong(), rack.toString());
      racks += rack.get("sent_bytes").asLong();
    }
    assertTrue(nodes > 0);
    assertEquals(nodes, racks);
  }

  @Test
  void whatTheHolderOfTheLeaseDoesIsToldWhileItDoesIt() throws Exception {
    fixture.write(FILE, 16 * BLOCK, 3, RANDOM);
    CountDownLatch told = new CountDownLatch(1);
    AtomicReference<String> held = new AtomicReference<>("");
    InjectedFaults.install(
        (step, detail) -> {
          // The first stripe is done, the second one waits until the page has told of that.
          if (step == FaultStep.CONVERT_ENCODED
              && !held.compareAndSet("", detail)
              && !detail.equals(held.get())) {
            awaitLatch(told);
          }
        });
    ExecutorService threads = Executors.newSingleThreadExecutor();
    try {
      Future<ConvertReport> converted = threads.submit(() -> fixture.convertAll("rs-4-2", FILE));
      JsonNode seen =
          await(
              "the work to be told",
              now -> now.path("lease").path("work").path("total").asLong() > 0);
      assertTrue(seen.at("/lease/holder").asText().startsWith("convert at "), seen.toString());
      assertEquals(
          4, seen.path("lease").path("work").path("total").asLong(), seen.at("/lease").toString());
      assertEquals(
          "somebody runs braid convert", seen.path("lease").path("work").path("cause").asText());
      assertTrue(page().contains("<progress max=\"4\""), "a bar");
      told.countDown();
      converted.get(1, TimeUnit.MINUTES);
    } finally {
      told.countDown();
      threads.shutdownNow();
    }
    assertTrue(await("the lease to be free", now -> now.get("lease").isNull()).has("lease"));
  }

  private static void awaitLatch(CountDownLatch latch) {
    try {
      assertTrue(latch.await(60, TimeUnit.SECONDS), "nobody went on");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void policiesAreShownAndWhatTheySayIsText() throws Exception {
    Policy policy =
        Policy.of(
            "cold",
            true,
            Action.CONVERT,
            Map.of("path", "/<b>&x/**", "code", "rs-4-2", "older-than", "30d"));
    try (Cluster cluster = fixture.braid()) {
      cluster.policies().change("<script>", before -> before.with(new PolicySet(List.of(policy))));
    }
    JsonNode seen =
        await("the policy", now -> now.at("/policies/policies/0/name").asText().equals("cold"));
    assertEquals("/<b>&x/**", seen.at("/policies/policies/0/path").asText());
    assertEquals("30d", seen.at("/policies/policies/0/older_than").asText());
    String page = page();
    assertTrue(page.contains("path /&lt;b&gt;&amp;x/**"), page);
    assertFalse(page.contains("<script"), page);
  }

  @Test
  void aStandbySaysWhatItKnows() throws Exception {
    fixture.write(FILE, 4 * BLOCK, 3, RANDOM);
    fixture.convertAll("rs-4-2", FILE);
    NameNode standby =
        fixture.hdfs.nameNodes().stream()
            .filter(nameNode -> !nameNode.isActiveState())
            .findFirst()
            .orElseThrow();
    String address = NetUtils.getHostPortString(standby.getHttpAddress());
    // The standby reads what is in closed parts of the log.
    fixture.hdfs.nameNode().getRpcServer().rollEditLog();
    JsonNode seen =
        Await.until(
            "the standby to follow",
            PATIENCE,
            () -> json(address),
            now -> now.at("/stored/stripes").asLong() == 1);
    assertEquals("standby", seen.get("state").asText());
    for (String unknown : List.of("health", "stripes", "waiting", "lease", "policies")) {
      assertTrue(seen.get(unknown).isNull(), unknown);
    }
    assertEquals(10, seen.get("nodes").size());
    String page = Scrape.get(address, "/braid");
    assertNotNull(page);
    assertTrue(page.contains("<strong>unknown</strong>"), page);
    assertTrue(page.contains("This NameNode is standby"), page);
  }
}
