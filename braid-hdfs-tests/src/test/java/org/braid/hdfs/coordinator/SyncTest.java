package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.datanode.BraidDataNodePlugin;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.Replica;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.testing.DiskWitness;
import org.braid.hdfs.testing.Disks;
import org.braid.hdfs.testing.ExactFiles;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What replaces dropped replicas is on disk before they are dropped. */
final class SyncTest {
  private static final Random RANDOM = Seeds.random(SyncTest.class);
  @RegisterExtension static final SharedCluster fixture = new SharedCluster(5, 10);

  @AfterEach
  void reset() throws Exception {
    InjectedFaults.clear();
    fixture.startAll();
    fixture.deleteAll();
  }

  /** Marks a step of the stripe or file that it names. */
  private static void mark(DiskWitness witness, FaultStep marked) {
    InjectedFaults.install(
        (step, detail) -> {
          if (step == marked) {
            witness.mark(detail);
          }
        });
  }

  /** The files of a replica that are not on disk, with the directory that names them. */
  private static List<String> unsynced(
      ClusterFixture cluster, Set<String> forced, String uuid, BlockIdentity block)
      throws IOException {
    int node = cluster.hdfs.indexOf(uuid).orElseThrow();
    Path data = Disks.file(cluster.hdfs, node, block.id()).orElseThrow();
    Path meta = data.resolveSibling("blk_" + block.id() + "_" + block.generation() + ".meta");
    List<String> missing = new ArrayList<>();
    for (Path path : List.of(data, meta, data.getParent(), data.getParent().getParent())) {
      if (!forced.contains(path.toString())) {
        missing.add(path.toString());
      }
    }
    return missing;
  }

  private static List<String> unsynced(ClusterFixture cluster, DiskWitness witness)
      throws IOException {
    List<String> missing = new ArrayList<>();
    for (StripeStatus status : cluster.stripes()) {
      Set<String> forced = witness.forcedBefore(status.stripe().id());
      for (Member member : status.stripe().members()) {
        if (!member.isVirtual()) {
          missing.addAll(unsynced(cluster, forced, member.home(), member.block()));
        }
      }
    }
    return missing;
  }

  private static long copies(BlockIdentity block) throws IOException {
    long copies = 0;
    for (int node = 0; node < fixture.hdfs.nodes(); node++) {
      copies += Disks.file(fixture.hdfs, node, block.id()).isPresent() ? 1 : 0;
    }
    return copies;
  }

  /** Three files of one block on one node: where a rack may have one block, two must move. */
  private static void writeOnOneNode(String directory) throws IOException {
    for (int i = 0; i < 3; i++) {
      byte[] content = new byte[ClusterFixture.BLOCK];
      RANDOM.nextBytes(content);
      new ExactFiles(fixture.hdfs, fixture.fs)
          .writeOn(
              new org.apache.hadoop.fs.Path(directory + "/f" + i),
              content,
              ClusterFixture.BLOCK,
              0);
    }
  }

  @Test
  void allBlocksOfAStripeAreOnDiskBeforeItIsTrimmed() throws Exception {
    fixture.write("/sync/anywhere", 3 * ClusterFixture.BLOCK - 100, 3, RANDOM);
    writeOnOneNode("/sync/moves");
    try (DiskWitness witness = new DiskWitness()) {
      mark(witness, FaultStep.NAMENODE_TRIM);
      assertTrue(fixture.convertAll("rs-3-2", "/sync").relocatedBlocks() > 0);
      assertEquals(List.of(), unsynced(fixture, witness));
    }
  }

  @Test
  void theTestNoticesNodesThatDoNotSync() throws Exception {
    try (ClusterFixture lax =
            new ClusterFixture(5, 5, Map.of(BraidDataNodePlugin.SYNC_KEY, "false"));
        DiskWitness witness = new DiskWitness()) {
      lax.write("/lax", 3 * ClusterFixture.BLOCK, 3, RANDOM);
      mark(witness, FaultStep.NAMENODE_TRIM);
      lax.convertAll("rs-3-2", "/lax");
      assertFalse(unsynced(lax, witness).isEmpty());
    }
  }

  @Test
  void aRebuiltBlockIsOnDiskBeforeTheStripeNamesItsNewHome() throws Exception {
    fixture.write("/sync/lost", 3 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-3-2", "/sync");
    StripeStatus before = fixture.stripes().get(0);
    // A copy that a slow node has still, HDFS would take for the block.
    Await.untilEqual("copies on disk", 1L, () -> copies(before.stripe().member(0).block()));
    fixture.hdfs.stopNode(fixture.homes(before).get(0));
    try (DiskWitness witness = new DiskWitness()) {
      mark(witness, FaultStep.NAMENODE_PUT_STRIPE);
      RepairReport report = fixture.repair("/sync", "chain");
      assertEquals(1, report.repaired().size());
      StripeStatus status = fixture.stripes().get(0);
      Member rebuilt = status.stripe().member(report.repaired().get(0).block());
      Set<String> forced = witness.forcedBefore(status.stripe().id());
      assertEquals(List.of(), unsynced(fixture, forced, rebuilt.home(), rebuilt.block()));
    }
  }

  @Test
  void whatIsLeftOfAStripeIsOnDiskBeforeItsOldParityGoes() throws Exception {
    for (int i = 0; i < 3; i++) {
      fixture.write("/sync/small" + i, ClusterFixture.BLOCK, 3, RANDOM);
    }
    fixture.convertAll("rs-3-2", "/sync");
    String old = fixture.stripes().get(0).stripe().id();
    fixture.fs.delete(new org.apache.hadoop.fs.Path("/sync/small0"), false);
    try (DiskWitness witness = new DiskWitness()) {
      mark(witness, FaultStep.NAMENODE_TRIM);
      fixture.repair("/sync", "chain");
      StripeStatus status = fixture.stripes().get(0);
      assertEquals(1, fixture.stripes().size());
      assertFalse(status.stripe().id().equals(old));
      assertEquals(List.of(), unsynced(fixture, witness));
    }
  }

  @Test
  void twoCopiesOfEachBlockAreOnDiskBeforeParityIsSweptByARestore() throws Exception {
    fixture.write("/sync/back", 3 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-3-2", "/sync");
    try (DiskWitness witness = new DiskWitness();
        Cluster braid = fixture.braid()) {
      InjectedFaults.install(
          (step, detail) -> {
            if (step == FaultStep.RESTORE_SWEPT) {
              witness.mark("swept");
            }
          });
      assertEquals(1, braid.restore("/sync", Progress.SILENT).parityFilesDeleted());
      Set<String> forced = witness.forcedBefore("swept");
      for (StoredFile file : fixture.files("/sync")) {
        for (BlockStatus block : file.blocks()) {
          int synced = 0;
          for (Replica replica : block.replicas()) {
            if (unsynced(fixture, forced, replica.node(), block.block()).isEmpty()) {
              synced++;
            }
          }
          assertEquals(3, synced, block.block().name());
        }
      }
    }
  }
}
