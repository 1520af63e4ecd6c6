package org.braid.hdfs.secure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairPolicy;
import org.braid.hdfs.api.StopSignal;
import org.braid.hdfs.api.WatchRequest;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What Braid does, with Kerberos. */
@Tag("kerberos")
final class SecureLifecycleTest {
  private static final Random RANDOM = Seeds.random(SecureLifecycleTest.class);

  private static SecureCluster cluster;
  private static UserGroupInformation alice;

  @BeforeAll
  static void start() throws Exception {
    cluster = SecureCluster.shared();
    alice = cluster.realm.user("alice");
  }

  @AfterEach
  void heal() throws Exception {
    cluster.heal();
  }

  /** A file of alice's, converted. */
  private static void converted(String path) throws Exception {
    SecureCluster.as(alice, () -> cluster.write(path, 6 * SecureCluster.BLOCK + 1, RANDOM));
    cluster.convert(path);
  }

  @Test
  void repairsChecksAndRestores() throws Exception {
    String path = "/life/f";
    converted(path);
    cluster.hdfs.stopNode(cluster.nodeOf(path));
    SecureCluster.as(
        alice,
        () -> {
          try (FileSystem fs = cluster.degraded()) {
            cluster.assertReads(fs, path);
          }
        });
    assertEquals(List.of(), cluster.repair().unrepairable());
    SecureCluster.as(
        alice,
        () -> {
          try (FileSystem fs = cluster.plain()) {
            cluster.assertReads(fs, path);
          }
        });
    // HDFS goes on copying to a node until it takes it for dead.
    cluster.heal();
    SecureCluster.as(
        cluster.operator,
        () -> {
          try (Cluster braid = cluster.braid()) {
            for (FsckReport.FileState file : braid.fsck(path).files()) {
              assertEquals(List.of(), file.findings(), file.path());
            }
            assertTrue(braid.status("/").toString().contains(SecureCluster.CODE));
            braid.restore(path, Progress.SILENT);
          }
          try (FileSystem fs = cluster.plain()) {
            var file = new org.apache.hadoop.fs.Path(path);
            assertEquals(3, fs.getFileStatus(file).getReplication());
            cluster.assertReads(fs, path);
          }
        });
  }

  @Test
  void stockClientsWaitForTheCoordinator() throws Exception {
    String path = "/waits/f";
    converted(path);
    StopSignal stop = new StopSignal();
    List<String> journal = new java.util.concurrent.CopyOnWriteArrayList<>();
    Thread coordinator =
        new Thread(
            () -> {
              try {
                SecureCluster.as(
                    cluster.operator,
                    () -> {
                      try (Cluster braid = cluster.braid()) {
                        braid.watch(
                            new WatchRequest(
                                "chain",
                                2,
                                SecureCluster.SLICE,
                                5,
                                RepairPolicy.CONFIGURED,
                                600_000,
                                stop,
                                journal::add));
                      }
                    });
              } catch (Exception e) {
                journal.add(e.toString());
              }
            });
    coordinator.start();
    try {
      Await.until("watching", () -> journal.contains("watching"));
      cluster.hdfs.stopNode(cluster.nodeOf(path));
      SecureCluster.as(
          alice,
          () -> {
            try (FileSystem fs = cluster.plain()) {
              cluster.assertReads(fs, path);
            }
          });
    } finally {
      stop.stop();
      coordinator.join();
    }
  }
}
