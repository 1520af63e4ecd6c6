package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.braid.hdfs.Braid;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.view.CheckReport;
import org.braid.hdfs.api.view.CheckReport.Finding;
import org.braid.hdfs.api.view.CheckReport.Severity;
import org.braid.hdfs.policy.Action;
import org.braid.hdfs.policy.Policy;
import org.braid.hdfs.policy.PolicySet;
import org.braid.hdfs.rpc.BraidPaths;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is found on daemons that run, and on those that run without Braid. */
final class CheckTest {
  @RegisterExtension static final SharedCluster fixture = new SharedCluster(3, 6);
  private static Connection connection;
  private final List<Integer> broken = new ArrayList<>();

  @BeforeAll
  static void prepare() throws Exception {
    Map<String, String> properties = new TreeMap<>(fixture.hdfs.clientProperties());
    properties.put("dfs.namenode.http-address", fixture.hdfs.webAddress());
    connection = new Connection(Optional.of(fixture.hdfs.uri()), List.of(), properties);
  }

  @AfterEach
  void heal() throws Exception {
    for (int node : broken) {
      fixture.hdfs.stopNode(node);
    }
    fixture.startAll();
  }

  /** What is found beside a missing coordinator and a slow kernel. */
  private static List<Finding> findings() throws IOException {
    return Braid.check(connection, List.of("rs-3-2")).findings().stream()
        .filter(finding -> !finding.problem().startsWith("no coordinator runs"))
        .filter(finding -> !finding.remedy().contains("libisal2"))
        .filter(finding -> !finding.property().equals("dfs.datanode.block-pinning.enabled"))
        .toList();
  }

  private void restart(int node, Map<String, String> properties) throws IOException {
    broken.add(node);
    fixture.hdfs.stopNode(node);
    fixture.hdfs.startNode(node, properties);
    fixture.hdfs.awaitNodes();
  }

  @Test
  void aClusterThatWorksHasNoErrors() throws Exception {
    CheckReport report = Braid.check(connection, List.of("rs-3-2"));
    assertTrue(report.ok(), report.toString());
    assertEquals(1, report.nameNodes());
    assertEquals(6, report.dataNodes());
    assertEquals(List.of(), findings());
    try (WatchingCoordinator watch = new WatchingCoordinator(fixture, 3_600_000).awaitWatching()) {
      assertFalse(
          Braid.check(connection, List.of()).findings().stream()
              .anyMatch(finding -> finding.problem().startsWith("no coordinator runs")));
    }
  }

  @Test
  void aDataNodeWithoutThePluginIsNamedWithItsProperty() throws Exception {
    restart(1, Map.of("dfs.datanode.plugins", ""));
    List<Finding> findings = findings();
    assertEquals(1, findings.size(), findings.toString());
    Finding finding = findings.get(0);
    assertEquals(Severity.ERROR, finding.severity());
    assertEquals("datanode " + fixture.hdfs.nodeName(1), finding.host());
    assertEquals("dfs.datanode.plugins", finding.property());
    assertTrue(
        finding.remedy().startsWith("set it to org.braid.hdfs.datanode.BraidDataNodePlugin"),
        finding.remedy());
  }

  @Test
  void aPluginThatDoesNotStartIsNamedWithTheReason() throws Exception {
    restart(2, Map.of("braid.worker.memory", "64 megabytes"));
    List<Finding> findings = findings();
    assertEquals(2, findings.size(), findings.toString());
    assertEquals("Braid does not run there: its plugin is not started", findings.get(0).problem());
    assertEquals("braid.worker.memory", findings.get(1).property());
    assertEquals("64 megabytes", findings.get(1).value());
    assertEquals("programmatically", findings.get(1).source());
  }

  @Test
  void policiesAndPropertiesOfThisHostAreCheckedToo() throws Exception {
    Policy large =
        Policy.of("large", true, Action.CONVERT, Map.of("path", "/x", "code", "rs-10-4"));
    try (Cluster cluster = fixture.braid()) {
      cluster.policies().change("add large", before -> before.with(new PolicySet(List.of(large))));
    }
    try {
      Map<String, String> properties = new TreeMap<>(connection.properties());
      properties.put("braid.repair.scheduler", "nonsense");
      CheckReport report =
          Braid.check(new Connection(connection.fileSystem(), List.of(), properties), List.of());
      assertFalse(report.ok());
      assertEquals("braid.repair.scheduler", report.findings().get(0).property());
      assertTrue(
          report.findings().stream()
              .anyMatch(
                  finding ->
                      finding
                          .problem()
                          .startsWith("policy large converts nothing: rs-10-4 does not fit: ")),
          report.toString());
    } finally {
      fixture.fs.delete(new Path(BraidPaths.POLICIES), true);
    }
  }

  @Test
  void safeModeIsFound() throws Exception {
    fixture.fs.setSafeMode(SafeModeAction.ENTER);
    try {
      List<Finding> findings = findings();
      assertEquals(1, findings.size(), findings.toString());
      assertTrue(findings.get(0).problem().contains("safe mode"), findings.toString());
    } finally {
      fixture.fs.setSafeMode(SafeModeAction.LEAVE);
    }
  }

  @Test
  void aClusterThatCannotBeReachedIsAFinding() throws Exception {
    assertUnreached("127.0.0.1:1");
    assertUnreached(fixture.hdfs.webAddress()); // its web server alone answers
  }

  private static void assertUnreached(String web) throws IOException {
    Connection nobody =
        new Connection(
            Optional.of("hdfs://127.0.0.1:1"), List.of(), Map.of("dfs.namenode.http-address", web));
    CheckReport report = Braid.check(nobody, List.of("rs-3-2"));
    assertFalse(report.ok());
    assertEquals(1, report.findings().size(), report.toString());
    Finding finding = report.findings().get(0);
    assertTrue(finding.host().matches("namenode .*:1"), report.toString());
    assertTrue(finding.problem().startsWith("it cannot be reached: "), report.toString());
  }
}
