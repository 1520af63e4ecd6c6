package org.braid.hdfs.secure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairRequest;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * With Kerberos, too, the other NameNode goes on: its tokens are as good, and so are its checks.
 */
@Tag("kerberos")
final class SecureFailoverTest {
  private static final String FILE = "/failover/f";

  @Test
  @EnabledIfSystemProperty(named = "braid.long", matches = "true")
  void readersAndCommandsGoOn() throws Exception {
    Random random = Seeds.random(SecureFailoverTest.class);
    SecureCluster cluster = SecureCluster.pair();
    try {
      UserGroupInformation alice = cluster.realm.user("alice");
      cluster.convertSecret(alice, FILE, random);
      UserGroupInformation task = UserGroupInformation.createRemoteUser("alice");
      SecureCluster.as(
          alice,
          () -> {
            try (DistributedFileSystem fs = cluster.plain()) {
              task.addToken(fs.getDelegationToken("alice"));
            }
          });
      try (Cluster braid = SecureCluster.ask(cluster.operator, cluster::braid)) {
        // Copies that nodes have yet to delete would stay: HDFS takes all for stale after a
        // failover.
        int node = cluster.nodeOf(FILE);
        cluster.hdfs.failOver();
        cluster.hdfs.stopNode(node);
        readsLostBlocks(cluster, alice);
        readsLostBlocks(cluster, task);
        RepairRequest request =
            new RepairRequest("/", "chain", 2, SecureCluster.SLICE, 3, Progress.SILENT);
        SecureCluster.as(
            cluster.operator, () -> assertEquals(List.of(), braid.repair(request).unrepairable()));
        cluster.heal();
        for (FsckReport.FileState file :
            SecureCluster.ask(cluster.operator, () -> braid.fsck(FILE)).files()) {
          assertEquals(List.of(), file.findings(), file.path());
        }
      }
      UserGroupInformation eve = cluster.realm.user("eve");
      Throwable refused = SecureAttacksTest.refusal(eve, () -> readsLostBlocks(cluster, eve));
      assertTrue(refused.getMessage().contains("Permission denied: user=eve"), refused.toString());
    } finally {
      cluster.hdfs.close();
    }
  }

  private static void readsLostBlocks(SecureCluster cluster, UserGroupInformation reader)
      throws Exception {
    SecureCluster.as(
        reader,
        () -> {
          try (FileSystem fs = cluster.degraded()) {
            cluster.assertReads(fs, FILE);
          }
        });
  }
}
