package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.view.Health;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A host is gone, and is taken off the list of hosts that may register without being
 * decommissioned: its blocks are missed at once, itself no longer.
 */
@Timeout(300)
final class UnlistedHostTest {
  private static final Random RANDOM = Seeds.random(UnlistedHostTest.class);
  private static final String PATH = "/unlisted/f";

  @TempDir private static Path directory;

  // Dead after 50 s of silence: long after Braid has missed it.
  @RegisterExtension
  static final SharedCluster fixture =
      new SharedCluster(
          3, 6, Map.of(DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY, "20000"));

  private static DatanodeManager nodes() {
    return fixture.hdfs.nameNode().getNamesystem().getBlockManager().getDatanodeManager();
  }

  /** What {@code hdfs dfsadmin -refreshNodes} does with a list of all other hosts. */
  private static void takeOff(DatanodeDescriptor gone) throws IOException {
    List<String> others =
        nodes().getDatanodes().stream()
            .filter(node -> !node.equals(gone))
            .map(DatanodeDescriptor::getXferAddr)
            .toList();
    Path hosts = Files.write(directory.resolve("hosts"), others);
    Configuration conf = new Configuration(fixture.hdfs.nameNode().getConf());
    conf.set(DFSConfigKeys.DFS_HOSTS, hosts.toString());
    nodes().refreshNodes(conf);
    assertTrue(gone.isDisallowed());
  }

  private static boolean isTold(String cause) throws IOException {
    try (Cluster cluster = fixture.braid()) {
      return cluster.status("/").health().causes().stream()
          .map(Health.Cause::what)
          .anyMatch(what -> what.contains(cause));
    }
  }

  @Test
  void itsBlocksAreMissedAndItselfIsNot() throws Exception {
    fixture.write(PATH, 3 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-3-2", PATH);
    int home = fixture.homes(fixture.stripes().get(0)).get(0);
    DatanodeDescriptor gone = nodes().getDatanode(fixture.hdfs.uuid(home));
    fixture.hdfs.stopNode(home);
    takeOff(gone);
    Await.until("the loss to be told", () -> isTold("with lost blocks"));
    assertTrue(gone.isAlive(), "HDFS gave the node up: this shows nothing");

    fixture.awaitDead();
    assertFalse(isTold("DataNode"));
    assertEquals(List.of(), fixture.repair("/", "chain").unrepairable());
    fixture.assertClean(PATH);
    assertFalse(isTold("DataNode") || isTold("with lost blocks"));
  }
}
