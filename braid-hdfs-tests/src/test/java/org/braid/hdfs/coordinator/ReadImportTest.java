package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.PatternLayout;
import org.apache.log4j.WriterAppender;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Policies;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.api.view.ReadImportReport;
import org.braid.hdfs.policy.Action;
import org.braid.hdfs.policy.KnownReads;
import org.braid.hdfs.policy.KnownReadsJson;
import org.braid.hdfs.policy.Policy;
import org.braid.hdfs.policy.PolicySet;
import org.braid.hdfs.policy.ReadScopes;
import org.braid.hdfs.policy.audit.AuditLogReader;
import org.braid.hdfs.policy.audit.LastUses;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Reads from audit logs, on a cluster that does not record access times. */
final class ReadImportTest {
  private static final Random RANDOM = Seeds.random(ReadImportTest.class);
  private static final Duration COMPLETE = Duration.ofDays(40);
  private static final DateTimeFormatter LOG4J =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS").withZone(ZoneOffset.UTC);
  private static final Policy COLD =
      Policy.of(
          "cold",
          true,
          Action.CONVERT,
          Map.of("path", "/r/**", "unread-for", "30d", "code", "rs-3-2"));

  private static ClusterFixture fixture;
  private static final StringWriter AUDIT = new StringWriter();
  private static final Logger LOGGER =
      Logger.getLogger("org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit");
  private static final WriterAppender APPENDER =
      new WriterAppender(new PatternLayout("%d{ISO8601} %p %c{2}: %m%n"), AUDIT);

  @BeforeAll
  static void start() throws Exception {
    LOGGER.setLevel(Level.INFO);
    LOGGER.setAdditivity(false);
    LOGGER.addAppender(APPENDER);
    fixture = new ClusterFixture(4, 8, Map.of("dfs.namenode.accesstime.precision", "0"));
  }

  @AfterEach
  void clear() throws Exception {
    fixture.fs.delete(new Path(BraidPaths.POLICIES), true);
    // It stays as long as there are stripes: so it says that nothing was ever imported.
    fixture.fs.setXAttr(
        new Path(BraidPaths.ROOT),
        BraidPaths.READS_XATTR,
        KnownReadsJson.write(KnownReads.fromLogs(Map.of(), Instant.EPOCH)));
    fixture.deleteAll();
  }

  @AfterAll
  static void stop() throws Exception {
    LOGGER.removeAppender(APPENDER);
    fixture.close();
  }

  /** Writes a file that nobody has modified for long. */
  private static void old(String path) throws IOException {
    fixture.write(path, 3 * ClusterFixture.BLOCK - 7, 3, RANDOM);
    long then = daysAgo(40).toEpochMilli();
    fixture.fs.setTimes(new Path(path), then, then);
  }

  private static Instant daysAgo(int days) {
    return Instant.now().minus(Duration.ofDays(days));
  }

  /** What the NameNode has logged since this was called last, as if it were of another time. */
  private static String logged(Instant at) {
    synchronized (AUDIT.getBuffer()) {
      String log = AUDIT.toString();
      AUDIT.getBuffer().setLength(0);
      return log.replaceAll("(?m)^.{23}", LOG4J.format(at));
    }
  }

  private static ReadImportReport read(Policies policies, String log, ReadImportReport.Mode mode)
      throws IOException {
    LastUses uses = new LastUses(ReadScopes.of(List.of("/r/**")), COMPLETE, Instant.now(), 1 << 20);
    AuditLogReader.read(
        new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)), ZoneOffset.UTC, uses);
    assertEquals(0, uses.unreadable(), uses.named().toString());
    return policies.importReads(uses, mode, Progress.SILENT);
  }

  /**
   * Follows the redirection by itself: the names of the cluster's nodes are known to nobody else.
   */
  private static void readByWebHdfs(String path) throws IOException {
    HttpURLConnection asked =
        connection(
            "http://%s/webhdfs/v1%s?op=OPEN&user.name=%s"
                .formatted(fixture.hdfs.webAddress(), path, System.getProperty("user.name")));
    URI there = URI.create(asked.getHeaderField("Location"));
    asked.disconnect();
    HttpURLConnection data =
        connection(
            "http://127.0.0.1:%d%s?%s"
                .formatted(there.getPort(), there.getRawPath(), there.getRawQuery()));
    try (InputStream in = data.getInputStream()) {
      assertTrue(in.readAllBytes().length > 0);
    } finally {
      data.disconnect();
    }
  }

  private static HttpURLConnection connection(String address) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) URI.create(address).toURL().openConnection();
    connection.setInstanceFollowRedirects(false);
    return connection;
  }

  private static int replication(String path) throws IOException {
    return fixture.files(path).get(0).replication();
  }

  private static Optional<Instant> accessed(Policies policies, String path) throws IOException {
    return policies.explain(path).file().accessed();
  }

  @Test
  void filesThatNobodyReadAreConvertedAndOthersAreLeft() throws Exception {
    for (String name : List.of("cold", "read ä\t=", "numbered", "moved", "raw", "web")) {
      old("/r/" + name);
    }
    old("/r2/other");
    long numbered = fixture.files("/r/numbered").get(0).inode();
    logged(Instant.now());
    fixture.fs.getFileStatus(new Path("/r/cold"));
    String first = logged(daysAgo(35));
    Instant at = daysAgo(1);
    for (String path :
        List.of("/r/read ä\t=", BraidPaths.inode(numbered), "/r/moved", "/.reserved/raw/r/raw")) {
      assertTrue(ClusterFixture.read(fixture.fs, path).length > 0);
    }
    readByWebHdfs("/r/web");
    fixture.fs.rename(new Path("/r/moved"), new Path("/r/to"));
    String log = first + logged(at);
    assertTrue(log.contains("cmd=open\tsrc=/r/moved"), log);
    fixture.fs.getFileStatus(new Path("/r/cold"));
    log += logged(Instant.now().minusSeconds(60));

    try (Cluster cluster = fixture.braid();
        WatchingCoordinator watch = new WatchingCoordinator(fixture, 3_600_000)) {
      Policies policies = cluster.policies();
      policies.change("for a test", before -> before.with(new PolicySet(List.of(COLD))));
      watch.await("policy cold takes no file: reads are not known: ");

      ReadImportReport counted = read(policies, log, ReadImportReport.Mode.DRY_RUN);
      assertEquals(5, counted.recorded(), counted.toString());
      assertEquals(Optional.empty(), policies.reads().since(COLD.path()));
      ReadImportReport report = read(policies, log, ReadImportReport.Mode.RECORD);
      assertEquals(counted, report);
      assertEquals(6, report.files(), report.toString());
      assertEquals(report.known(), policies.reads());
      ReadImportReport again = read(policies, log, ReadImportReport.Mode.RECORD);
      assertEquals(0, again.recorded(), again.toString());
      assertEquals(5, again.current(), again.toString());

      Await.until("the cold file to be converted", () -> replication("/r/cold"), seen -> seen == 1);
      String own = logged(Instant.now());
      assertFalse(own.matches("(?s).*(cmd=open\tsrc|dst)=/r/.*"), "Braid reads no files: " + own);
      fixture.assertConverted("/r/cold");
      fixture.fs.rename(new Path("/r/read ä\t="), new Path("/r/renamed"));
      for (String path : List.of("/r/renamed", "/r/numbered", "/r/to", "/r/raw", "/r/web")) {
        assertEquals(
            at.getEpochSecond(), accessed(policies, path).orElseThrow().getEpochSecond(), path);
        assertEquals(3, replication(path), path);
      }
      Policies.Explanation read = policies.explain("/r/renamed");
      assertEquals(
          Optional.of(at.plus(Duration.ofDays(30)).getEpochSecond()),
          read.verdict().at().map(Instant::getEpochSecond));
      assertEquals(3, replication("/r2/other"));
    }
  }

  /** The daemon says that the last import is long ago, and what is unknown behind it stays so. */
  @Test
  void behindTheLastImportNothingIsKnown() throws Exception {
    old("/r/f");
    logged(Instant.now());
    fixture.fs.getFileStatus(new Path("/r/f"));
    String log = logged(daysAgo(35));
    assertTrue(ClusterFixture.read(fixture.fs, "/r/f").length > 0);
    log += logged(daysAgo(34));
    fixture.fs.getFileStatus(new Path("/r/f"));
    log += logged(daysAgo(5));
    try (Cluster cluster = fixture.braid();
        WatchingCoordinator watch = new WatchingCoordinator(fixture, 3_600_000)) {
      Policies policies = cluster.policies();
      policies.change("for a test", before -> before.with(new PolicySet(List.of(COLD))));
      read(policies, log, ReadImportReport.Mode.RECORD);
      watch.await(
          "policy cold needs another import of audit logs: reads are known from audit logs");
      assertEquals(3, replication("/r/f"));
      // A later log shows that nobody read it since.
      ClusterFixture.read(fixture.fs, "/r/f");
      read(
          policies,
          logged(Instant.now()).replace("src=/r/f", "src=/r/other"),
          ReadImportReport.Mode.RECORD);
      Await.until("the file to be converted", () -> replication("/r/f"), seen -> seen == 1);
    }
  }

  /** A file whose read cannot be recorded would seem unread. */
  @Test
  void readsAreKnownAsBeforeWhereOneCouldNotBeRecorded() throws Exception {
    old("/r/full");
    old("/r/other");
    Path full = new Path("/r/full");
    int most = fixture.fs.getConf().getInt("dfs.namenode.fs-limits.max-xattrs-per-inode", 32);
    for (int i = 0; i < most; i++) {
      fixture.fs.setXAttr(full, "user.a" + i, new byte[0]);
    }
    logged(Instant.now());
    for (String path : List.of("/r/full", "/r/other")) {
      assertTrue(ClusterFixture.read(fixture.fs, path).length > 0);
    }
    String log = logged(daysAgo(1));
    try (Cluster cluster = fixture.braid()) {
      Policies policies = cluster.policies();
      policies.change("for a test", before -> before.with(new PolicySet(List.of(COLD))));
      KnownReads before = policies.reads();
      ReadImportReport report = read(policies, log, ReadImportReport.Mode.RECORD);
      assertEquals(1, report.failed(), report.toString());
      assertEquals(1, report.recorded(), report.toString());
      assertTrue(report.failures().get(0).startsWith("/r/full: "), report.toString());
      assertEquals(before, report.known());
      assertEquals(before, policies.reads());
      fixture.fs.removeXAttr(full, "user.a0");
      ReadImportReport again = read(policies, log, ReadImportReport.Mode.RECORD);
      assertEquals(0, again.failed(), again.toString());
      assertEquals(again.known(), policies.reads());
      assertTrue(policies.reads().since(COLD.path()).isPresent());
    }
  }

  @Test
  void whatShowsNoReadsIsRefusedAndOthersThanTheSuperuserAre() throws Exception {
    logged(Instant.now());
    fixture.fs.getFileStatus(new Path("/"));
    String quiet = logged(daysAgo(1));
    try (Cluster cluster = fixture.braid()) {
      Policies policies = cluster.policies();
      String why =
          String.valueOf(
              assertThrows(
                      RefusedException.class,
                      () -> read(policies, quiet, ReadImportReport.Mode.RECORD))
                  .getMessage());
      assertTrue(why.startsWith("none of 1 lines of an audit log is a read"), why);
      policies.change("for a test", before -> before);
    }
    UserGroupInformation.createUserForTesting("eve", new String[] {"users"})
        .doAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  try (Cluster cluster = fixture.braid()) {
                    assertThrows(
                        AccessControlException.class,
                        () ->
                            read(
                                cluster.policies(),
                                quiet.replace("getfileinfo", "open"),
                                ReadImportReport.Mode.RECORD));
                  }
                  return null;
                });
  }
}
