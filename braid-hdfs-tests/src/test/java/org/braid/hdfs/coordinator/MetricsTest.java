package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.ScrubReport;
import org.braid.hdfs.api.ScrubRequest;
import org.braid.hdfs.api.StopSignal;
import org.braid.hdfs.api.Traffic;
import org.braid.hdfs.api.WatchReport;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.metrics.DaemonMetrics;
import org.braid.hdfs.policy.Action;
import org.braid.hdfs.policy.Policy;
import org.braid.hdfs.policy.PolicySet;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What monitoring systems see of a converted file's life. */
final class MetricsTest {
  private static final Random RANDOM = Seeds.random(MetricsTest.class);
  private static final int BLOCK = ClusterFixture.BLOCK;
  private static final String FILE = "/d/f";
  private static final Pattern WORDS = Pattern.compile("(?<=[a-z])(?=[A-Z])");
  private static final String MOVED = "braid_moved_bytes";

  /** Figures of HDFS's own that stand beside Braid's. */
  private static final List<String> OF_HDFS =
      List.of("fs_namesystem_missing_blocks", "fs_namesystem_missing_repl_one_blocks");

  private static final boolean FREEZES = Boolean.getBoolean("braid.freeze");
  private static final String CHANGED =
      "if figures have changed: mvn -B verify -pl braid-hdfs-tests -am -Dtest=MetricsTest"
          + " -Dbraid.test.jvm=-Dbraid.freeze=true -Dsurefire.failIfNoSpecifiedTests=false";

  // Two sites and racks of two nodes, so that there are links of each class; a rack for each
  // block of a stripe, so that blocks move.
  @RegisterExtension
  static final SharedCluster fixture =
      new SharedCluster(2, 5, 10, Map.of("hadoop.prometheus.endpoint.enabled", "true"));

  private static PlainClients clients;

  @BeforeAll
  static void prepare() throws Exception {
    clients = new PlainClients(fixture, RANDOM);
  }

  @AfterEach
  void clear() throws Exception {
    fixture.startAll();
    fixture.deleteAll();
    fixture.repair("/", "chain"); // sweeps their parity
  }

  /** Tests run in the directories of several modules. */
  private static Path dashboards() {
    Path at = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(at.resolve("release/dashboards"))) {
      at = at.getParent();
    }
    return at.resolve("release/dashboards");
  }

  private static String get(String path) throws Exception {
    return Scrape.get(fixture.hdfs.webAddress(), path);
  }

  /** All daemons of this process, the DataNodes told apart by a label. */
  private static Scrape scrape() throws Exception {
    return Scrape.of(fixture.hdfs.webAddress());
  }

  private static void awaitFigure(long wanted, String name, String... labels) throws Exception {
    Await.untilEqual(
        name + List.of(labels), OptionalLong.of(wanted), () -> scrape().found(name, labels));
  }

  /**
   * What workers sent for a cause is what a report says. On a busy machine a page may show what was
   * so before: Hadoop's metrics wait for a page's figures a second at most.
   */
  private static void assertMoved(Scrape before, Traffic reported, String... causes)
      throws Exception {
    Await.untilEqual(
        "what was moved for " + List.of(causes) + " within and across racks and elsewhere",
        List.of(reported.inRackBytes(), reported.crossRackBytes(), 0L),
        () -> {
          Scrape after = scrape();
          return List.of(
              moved(before, after, "in_rack", causes),
              moved(before, after, "cross_rack", causes)
                  + moved(before, after, "cross_site", causes),
              moved(before, after, "unknown", causes));
        });
  }

  /** Converts; whatever page comes then has all that was moved. */
  private static void convertAndAwaitFigures(String path) throws Exception {
    Scrape before = scrape();
    ConvertReport report = fixture.convertAll("rs-3-2", path);
    assertMoved(before, report.encoding(), "convert");
    assertMoved(before, report.relocation(), "relocate");
  }

  private static long moved(Scrape before, Scrape after, String link, String... causes) {
    return Stream.of(causes)
        .mapToLong(cause -> after.grown(before, MOVED, "cause", cause, "link", link))
        .sum();
  }

  /** The same for what a figure has grown by. */
  private static void awaitGrown(long wanted, Scrape before, String name, String... labels)
      throws Exception {
    Await.untilEqual(
        "the growth of " + name + List.of(labels),
        wanted,
        () -> scrape().grown(before, name, labels));
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
    // Where HDFS has put the replicas decides whether a block has to move.
    int moved = fixture.convert("rs-3-2", FILE).relocatedBlocks();
    assertRose(before, "Stripes", 1);
    assertRose(before, "StripesTrimmed", 1);
    assertRose(before, "FilesPersisted", 1);
    // HDFS itself may have dropped a copy beside one that moved before the block was trimmed.
    long dropped = figures().get("ReplicasDropped") - before.get("ReplicasDropped");
    assertTrue(dropped >= 6 && dropped <= 6 + moved, dropped + " dropped, " + moved + " moved");
    assertRose(before, "BytesDropped", dropped * BLOCK);
    assertRose(before, "ParityStored", 2);
    assertRose(before, "ReplicasStored", moved);
    assertTrue(figures().get("BytesRead") >= 3L * BLOCK, figures().toString());
    Member lost = fixture.stripes().get(0).stripe().member(0);
    Scrape idle = scrape();
    Map<String, Long> left; // without what the lost node has counted
    try (WatchingCoordinator coordinator = new WatchingCoordinator(fixture, 3_600_000)) {
      coordinator.awaitWatching();
      assertEquals(1, figures().get("CoordinatorPresent"));
      String holder =
          "daemon at " + InetAddress.getLocalHost().getHostName().replaceAll("[^\\w.-]", "_") + ":";
      Await.until(
          "the lease to be held by " + holder,
          MetricsTest::scrape,
          page ->
              page.values().entrySet().stream()
                  .anyMatch(
                      entry ->
                          entry.getKey().name().equals("braid_lease_held")
                              && entry.getKey().labels().get("holder").startsWith(holder)
                              && entry.getValue() == 1));
      InjectedFaults.install(MetricsTest::awaitReader);
      clients.lose(List.of(fixture.hdfs.indexOf(lost.home()).orElseThrow()));
      left = figures();
      assertTrue(left.get("SuspectNodes") >= 1);
      fixture.assertReads(FILE);
      WatchReport report = coordinator.end();
      assertEquals(1, report.demanded());
      assertTrue(report.traffic().crossRackBytes() > 0, report.toString());
      assertMoved(idle, report.traffic(), "waiting_readers");
      assertEquals(0, scrape().grown(idle, MOVED, "cause", "repair"));
    } finally {
      InjectedFaults.clear();
    }
    assertTrue(figures().get("CallsDeferred") > before.get("CallsDeferred"));
    assertEquals(0, figures().get("CallsWaiting"));
    assertRose(left, "ReplicasStored", 1);
    fixture.startAll();
    try (Cluster braid = fixture.braid()) {
      assertEquals(List.of(), braid.restore(FILE, Progress.SILENT).skipped());
    }
    assertRose(before, "FilesRaised", 1);
    assertTrue(figures().get("PathsSwept") > before.get("PathsSwept"));
    assertEquals(0, figures().get("Stripes"));
  }

  @Test
  void bytesByCauseAndLinkAreThoseOfTheReports() throws Exception {
    fixture.write("/b/f", 30 * BLOCK, 3, RANDOM);
    Scrape before = scrape();
    ConvertReport converted = fixture.convertAll("rs-3-2", "/b/f");
    assertEquals(10, converted.stripes());
    assertMoved(before, converted.encoding(), "convert");
    assertMoved(before, converted.relocation(), "relocate");
    assertTrue(scrape().grown(before, MOVED, "cause", "convert", "link", "cross_site") > 0);
    Await.untilEqual(
        "the bytes encoded and their parity",
        50L * BLOCK,
        () -> scrape().sum("braid_bytes_encoded") + scrape().sum("braid_bytes_parity"));
    awaitFigure(converted.storageBefore() - converted.storageAfter(), "braid_bytes_saved");
    awaitFigure(10, "braid_stripes_by_state", "state", "healthy");
    awaitFigure(10, "braid_stripes_with_spare", "spare", "2");

    int node = fixture.heaviestNode();
    long damaged =
        fixture.stripes().stream().filter(status -> fixture.homes(status).contains(node)).count();
    assertTrue(damaged > 0);
    clients.lose(List.of(node));
    awaitFigure(damaged, "braid_stripes_by_state", "state", "degraded");
    awaitFigure(damaged, "braid_stripes_with_spare", "spare", "1");
    awaitFigure(10 - damaged, "braid_stripes_by_state", "state", "healthy");
    Await.until(
        "the damage to be a second old", () -> scrape().sum("braid_oldest_damage_seconds") > 0);
    Scrape lost = scrape();
    RepairReport repaired = fixture.repair("/b", "chain");
    assertEquals(damaged, repaired.repaired().size());
    assertTrue(repaired.traffic().crossRackBytes() > 0);
    assertMoved(lost, repaired.traffic(), "repair", "relocate");
    awaitFigure(10, "braid_stripes_by_state", "state", "healthy");
    awaitFigure(0, "braid_oldest_damage_seconds");
    awaitGrown(damaged, lost, "braid_repair_time_seconds_count");
    awaitGrown(damaged, lost, "braid_repair_time_seconds_bucket", "le", "+Inf");

    Scrape whole = scrape();
    try (Cluster braid = fixture.braid()) {
      ScrubReport scrubbed =
          braid.scrub(new ScrubRequest("/", OptionalLong.of(0), new StopSignal(), Progress.SILENT));
      assertEquals(50, scrubbed.blocks());
      awaitGrown(scrubbed.bytes(), whole, "braid_disk_bytes", "cause", "scrub");
      fixture.startAll();
      assertEquals(0, scrape().grown(whole, MOVED), "a scrub moves nothing");
      assertEquals(List.of(), braid.restore("/b/f", Progress.SILENT).skipped());
    }
    awaitGrown(60L * BLOCK, whole, MOVED, "cause", "restore");
    assertEquals(60L * BLOCK, scrape().grown(whole, MOVED));
  }

  @Test
  void whatClientsDecodeIsCountedAsTheirs() throws Exception {
    fixture.write("/r/f", 3 * BLOCK, 3, RANDOM);
    convertAndAwaitFigures("/r/f");
    Member lost = fixture.stripes().get(0).stripe().member(1);
    clients.lose(List.of(fixture.hdfs.indexOf(lost.home()).orElseThrow()));
    Scrape before = scrape();
    fixture.assertReadsDegraded("/r/f");
    // Workers may have to end when the reader has all that it wants.
    Scrape after =
        Await.until(
            "what helpers sent to be counted",
            MetricsTest::scrape,
            page -> page.grown(before, MOVED, "cause", "degraded_read") >= BLOCK);
    assertEquals(after.grown(before, MOVED), after.grown(before, MOVED, "cause", "degraded_read"));
  }

  /** Of blocks on one node two must move where a rack may have one of a stripe's. */
  @Test
  void blocksThatMoveAreRelocated() throws Exception {
    InetSocketAddress node =
        new InetSocketAddress(
            InetAddress.getLoopbackAddress(), fixture.hdfs.dataNode(0).getXferPort());
    try (OutputStream out =
        fixture.fs.create(
            new org.apache.hadoop.fs.Path("/m/f"),
            FsPermission.getFileDefault(),
            true,
            4096,
            (short) 1,
            BLOCK,
            null,
            new InetSocketAddress[] {node})) {
      out.write(new byte[3 * BLOCK]);
    }
    Scrape before = scrape();
    ConvertReport report = fixture.convertAll("rs-3-2", "/m/f");
    assertEquals(2, report.relocatedBlocks());
    awaitGrown(2L * BLOCK, before, MOVED, "cause", "relocate");
    assertMoved(before, report.relocation(), "relocate");
    assertMoved(before, report.encoding(), "convert");
  }

  @Test
  void encodingAnewWhatDeletionsLeftIsNoConversion() throws Exception {
    for (int i = 0; i < 3; i++) {
      fixture.write("/t/" + i, BLOCK, 3, RANDOM);
    }
    convertAndAwaitFigures("/t");
    Scrape before = scrape();
    fixture.fs.delete(new org.apache.hadoop.fs.Path("/t/1"), false);
    awaitFigure(1, "braid_stripes_thinned");
    assertEquals(1, fixture.repair("/", "chain").reencoded());
    Await.until(
        "what moved to encode anew to be counted",
        () -> scrape().grown(before, MOVED, "cause", "reencode") > 0);
    assertEquals(0, scrape().grown(before, MOVED, "cause", "convert"));
    awaitFigure(0, "braid_stripes_thinned");
  }

  /** What each kind of daemon has, as dashboards and alerts may use it. */
  @Test
  void eachDaemonHasTheFiguresThatAreListed(@TempDir Path directory) throws Exception {
    fixture.write("/l/f", 3 * BLOCK, 3, RANDOM);
    fixture.convertAll("rs-3-2", "/l/f");
    try (Cluster cluster = fixture.braid()) {
      Policy cold =
          Policy.of(
              "cold",
              true,
              Action.CONVERT,
              Map.of("path", "/x", "unread-for", "30d", "code", "rs-3-2"));
      cluster.policies().change("for a test", old -> old.with(new PolicySet(List.of(cold))));
    }
    Path file = DaemonProcess.metrics(directory);
    Path list = dashboards().resolve("metrics.txt");
    SortedSet<String> seen = described("NameNode", list, () -> get("/prom"));
    for (String name : OF_HDFS) {
      Await.until(name, () -> get("/prom").contains("\n" + name + "{"));
      seen.add("HDFS " + name);
    }
    try (DataNodeProcess node = DataNodeProcess.start(fixture, "site0.rack0-own", directory);
        DaemonProcess daemon = DaemonProcess.start(fixture, directory)) {
      DatanodeInfo info =
          Await.until(
                  "the DataNode to register",
                  () ->
                      Arrays.stream(fixture.fs.getDataNodeStats())
                          .filter(known -> known.getHostName().equals("site0.rack0-own"))
                          .findFirst(),
                  Optional::isPresent)
              .orElseThrow();
      String address = info.getIpAddr() + ":" + info.getInfoPort();
      seen.addAll(described("DataNode", list, () -> Scrape.get(address, "/prom")));
      Await.until(
          "what is moved among the DataNode's beans",
          () -> Scrape.get(address, "/jmx?qry=Hadoop:service=DataNode,name=Braid*"),
          jmx -> jmx.contains("Hadoop:service=DataNode,name=BraidMoved"));
      Await.Look<String, Exception> figures =
          () -> Files.exists(file) ? Files.readString(file) : "";
      Await.until(
          "the daemon's figures",
          figures,
          text -> text.contains("braid_leads{") && text.contains("policy=\"cold\""));
      seen.addAll(described("BraidDaemon", list, figures));
      daemon.end();
      assertFalse(Files.exists(file), "a daemon that has ended has no figures");
    }
    if (FREEZES) {
      Files.write(list, seen);
    }
    assertEquals(Files.readString(list).strip(), String.join("\n", seen), CHANGED);
  }

  /** What a page describes, once it has all that is listed: it may be the page before. */
  private static SortedSet<String> described(
      String daemon, Path list, Await.Look<String, Exception> page) throws Exception {
    List<String> listed =
        Files.readAllLines(list).stream().filter(line -> line.startsWith(daemon + " ")).toList();
    return Await.until(
        "all that is listed of a %s (%s): %s".formatted(daemon, CHANGED, listed),
        () -> Scrape.parse(page.look()).described(daemon),
        seen -> FREEZES || seen.containsAll(listed));
  }

  /** Prometheus itself reads the page, evaluates the alerts and answers the dashboard. */
  @Test
  void prometheusTakesThePageTheAlertsAndTheDashboard(@TempDir Path directory) throws Exception {
    Assumptions.assumeTrue(Prometheus.isInstalled(), "Prometheus is not installed");
    fixture.write("/p/f", 3 * BLOCK, 3, RANDOM);
    fixture.convertAll("rs-3-2", "/p/f");
    awaitFigure(1, "braid_stripes_by_state", "state", "healthy");
    Path dashboards = dashboards();
    JsonNode dashboard =
        new ObjectMapper().readTree(Files.readString(dashboards.resolve("braid-grafana.json")));
    try (Prometheus prometheus =
        Prometheus.start(
            fixture.hdfs.webAddress(), dashboards.resolve("braid-alerts.yaml"), directory)) {
      Await.until(
          "the figures of the NameNode",
          () -> prometheus.query("braid_stripes_by_state{state=\"healthy\"}").size() == 1);
      // A page that takes longer than Prometheus waits counts as down until the next one.
      Await.until(
          "the NameNode to be up",
          () -> prometheus.ask("targets").get("activeTargets").get(0),
          target -> target.get("health").asText().equals("up"));
      for (JsonNode panel : dashboard.get("panels")) {
        for (JsonNode query : panel.path("targets")) {
          String expression = query.get("expr").asText().replace("$cluster", ".*");
          if (panel.get("type").asText().equals("stat")) {
            // One that the NameNode could not tell when it was asked first is there at the next.
            Await.until(
                "an answer to " + expression, () -> prometheus.query(expression).size() == 1);
          }
          var unused = prometheus.query(expression); // it is understood
        }
      }
      JsonNode rules =
          Await.until(
              "the alerts to be evaluated",
              () -> prometheus.ask("rules").get("groups").get(0).get("rules"),
              seen ->
                  StreamSupport.stream(seen.spliterator(), false)
                      .noneMatch(rule -> rule.get("health").asText().equals("unknown")));
      for (JsonNode rule : rules) {
        assertEquals("ok", rule.get("health").asText(), rule.toString());
      }
    }
  }

  /** Both pages of a daemon have every figure. */
  @Test
  void jmxAndPrometheusHaveAll() throws Exception {
    Set<String> names = figures().keySet();
    assertTrue(names.size() > 20, names.toString());
    awaitAll(
        "/jmx?qry=Hadoop:name=Braid*,*", names.stream().map(name -> '"' + name + '"').toList());
    awaitAll(
        "/prom",
        names.stream()
            .map(name -> WORDS.matcher(name).replaceAll("_").toLowerCase(Locale.ROOT))
            .map(key -> "\nbraid_" + key + "{")
            .toList());
  }

  private static void awaitAll(String path, List<String> parts) throws Exception {
    Await.untilEqual(
        "what is not on " + path,
        List.of(),
        () -> {
          String page = get(path);
          return parts.stream().filter(part -> !page.contains(part)).toList();
        });
  }
}
