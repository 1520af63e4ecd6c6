package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Map;
import java.util.Random;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.view.StatusReport.NodeStatus;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A cluster of which a part is configured wrongly. */
final class MalformedPropertyTest {
  private static final Random RANDOM = Seeds.random(MalformedPropertyTest.class);
  @RegisterExtension static final SharedCluster fixture = new SharedCluster(4, 8);

  private static NodeStatus status(Cluster cluster, int node) throws IOException {
    return cluster.status("/").nodes().stream()
        .filter(status -> status.node().equals(fixture.hdfs.nodeName(node)))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aDataNodeWhosePluginDoesNotStartServesClientsAndIsNamed() throws Exception {
    fixture.write("/half/f", 3 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-3-2", "/half/f");
    int node = fixture.homes(fixture.stripes().get(0)).get(0);
    fixture.hdfs.stopNode(node);
    fixture.hdfs.startNode(node, Map.of("braid.worker.memory", "64 megabytes"));
    fixture.hdfs.awaitNodes();
    fixture.awaitTrusted(fixture.hdfs.uuid(node));
    try (Cluster cluster = fixture.braid()) {
      assertEquals("runs without Braid's plugin", status(cluster, node).worker());
      FsckReport report = cluster.fsck("/half");
      assertEquals(1, report.count(FsckReport.State.DEGRADED), report.toString());
      assertTrue(
          report.files().get(0).findings().stream()
              .anyMatch(
                  block ->
                      block
                          .why()
                          .startsWith(
                              "its copy is at "
                                  + fixture.hdfs.nodeName(node)
                                  + ", which runs without Braid's plugin: clients read it")),
          report.toString());
    }
    fixture.assertReads("/half/f");
    fixture.hdfs.stopNode(node);
    fixture.start(node);
    try (Cluster cluster = fixture.braid()) {
      assertTrue(status(cluster, node).answers());
    }
  }
}
