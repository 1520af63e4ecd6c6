package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.rpc.DaemonMetrics;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What monitoring systems see of a converted file's life. */
final class MetricsTest {
  private static final Random RANDOM = Seeds.random(MetricsTest.class);
  private static final int BLOCK = ClusterFixture.BLOCK;
  private static final String FILE = "/d/f";
  private static final Pattern WORDS = Pattern.compile("(?<=[a-z])(?=[A-Z])");
  private static ClusterFixture fixture;

  @BeforeAll
  static void start() throws Exception {
    fixture = new ClusterFixture(6, 6, Map.of("hadoop.prometheus.endpoint.enabled", "true"));
  }

  @AfterAll
  static void stop() throws Exception {
    fixture.close();
  }

  private static String get(String path) throws Exception {
    InetSocketAddress address = fixture.hdfs.nameNode().getHttpAddress();
    URI uri = URI.create("http://" + address.getHostString() + ":" + address.getPort() + path);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }

  /** Sums over all of Braid's sources: the daemons of this cluster share a process. */
  private static Map<String, Long> figures() {
    Map<String, Long> sums = new TreeMap<>();
    List<String> sources = new ArrayList<>(List.of(DaemonMetrics.SOURCE));
    for (int i = 0; i < fixture.hdfs.nodes(); i++) {
      if (fixture.hdfs.runs(i)) {
        sources.add(DaemonMetrics.source(fixture.hdfs.dataNode(i).getDisplayName()));
      }
    }
    for (String source : sources) {
      MetricsCollectorImpl collected = new MetricsCollectorImpl();
      DefaultMetricsSystem.instance().getSource(source).getMetrics(collected, true);
      for (AbstractMetric metric : collected.getRecords().get(0).metrics()) {
        sums.merge(metric.name(), metric.value().longValue(), Long::sum);
      }
    }
    return sums;
  }

  private static void assertRose(Map<String, Long> before, String name, long by) {
    assertEquals(before.getOrDefault(name, 0L) + by, figures().get(name), name);
  }

  /** Holds the repair until a reader waits for it. */
  private static void awaitReader(FaultStep step, String detail) {
    if (step == FaultStep.REPAIR_PLANNED) {
      Await.until("a reader to wait", () -> figures().get("CallsWaiting") == 1);
    }
  }

  @Test
  void theLifeOfAConvertedFileIsCounted() throws Exception {
    fixture.write(FILE, 3 * BLOCK, 3, RANDOM);
    Map<String, Long> before = figures();
    assertEquals(0, before.get("Stripes"));
    fixture.convertAll("rs-3-2", FILE);
    assertRose(before, "Stripes", 1);
    assertRose(before, "StripesTrimmed", 1);
    assertRose(before, "FilesPersisted", 1);
    assertRose(before, "ReplicasDropped", 6);
    assertRose(before, "BytesDropped", 6L * BLOCK);
    assertRose(before, "ParityStored", 2);
    assertTrue(figures().get("BytesRead") >= 3L * BLOCK, figures().toString());
    Member lost = fixture.stripes().get(0).stripe().member(0);
    PlainClients clients = new PlainClients(fixture, RANDOM);
    try (WatchingCoordinator coordinator = new WatchingCoordinator(fixture, 3_600_000)) {
      coordinator.awaitWatching();
      assertEquals(1, figures().get("CoordinatorPresent"));
      InjectedFaults.install(MetricsTest::awaitReader);
      clients.lose(List.of(fixture.hdfs.indexOf(lost.home()).orElseThrow()));
      assertTrue(figures().get("SuspectNodes") >= 1);
      fixture.assertReads(FILE);
    } finally {
      InjectedFaults.clear();
    }
    assertTrue(figures().get("CallsDeferred") > before.get("CallsDeferred"));
    assertEquals(0, figures().get("CallsWaiting"));
    assertRose(before, "ReplicasStored", 1);
    fixture.startAll();
    try (Cluster braid = fixture.braid()) {
      assertEquals(List.of(), braid.restore(FILE, Progress.SILENT).skipped());
    }
    assertRose(before, "FilesRaised", 1);
    assertTrue(figures().get("PathsSwept") > before.get("PathsSwept"));
    assertEquals(0, figures().get("Stripes"));
    fixture.deleteAll();
  }

  /** Both pages of a daemon have every figure. */
  @Test
  void jmxAndPrometheusHaveAll() throws Exception {
    Set<String> names = figures().keySet();
    assertTrue(names.size() > 20, names.toString());
    String jmx = get("/jmx?qry=Hadoop:name=Braid*,*");
    String prometheus = get("/prom");
    for (String name : names) {
      assertTrue(jmx.contains('"' + name + '"'), name + " is not in " + jmx);
      String key = "braid_" + WORDS.matcher(name).replaceAll("_").toLowerCase(Locale.ROOT);
      assertTrue(prometheus.contains("\n" + key + "{"), key + " is not in " + prometheus);
    }
  }
}
