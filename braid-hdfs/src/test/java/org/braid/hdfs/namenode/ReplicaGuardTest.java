package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.LocalReplica;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.util.RwLockMode;
import org.braid.hdfs.datanode.BraidDataNodePlugin;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.MemberProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.testing.Disks;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A block of a stripe has one replica too many: which one stays. */
final class ReplicaGuardTest {
  @TempDir static Path directory;
  private static Bed bed;
  private static int files;
  private StripeProto stripe = StripeProto.getDefaultInstance();
  private org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path("/");

  @BeforeAll
  static void start() throws Exception {
    bed =
        Bed.start(
            directory, 5, 5, Map.of("dfs.datanode.plugins", BraidDataNodePlugin.class.getName()));
  }

  @AfterAll
  static void stop() throws Exception {
    bed.close();
  }

  @BeforeEach
  void encode() throws Exception {
    bed.cluster.awaitNodes();
    path = new org.apache.hadoop.fs.Path("/f" + files++);
    FileProto file = bed.write(path.toUri().getPath(), 2, 3);
    stripe = bed.publish("rs-2-1", file.getBlocksList(), x -> x);
    assertEquals(List.of(), bed.trim(stripe.getId()));
    bed.fs.setReplication(path, (short) 1);
    Await.until("one copy on the disks", () -> bed.copies(id()).equals(Set.of(home())));
    Await.until("the deletions to be reported", () -> bed.leaving(id()).isEmpty());
  }

  /** What is left of a test is no work for the next. */
  @AfterEach
  void remove() throws Exception {
    bed.fs.delete(path, false);
    assertTrue(bed.sweep().contains(BraidPaths.stripePath(stripe.getId())));
  }

  private MemberProto member() {
    return stripe.getMembers(0);
  }

  private long id() {
    return member().getBlock().getId();
  }

  private String home() {
    return member().getHome();
  }

  private int homeNode() {
    return bed.cluster.indexOf(home()).orElseThrow();
  }

  private String recordedHome() throws Exception {
    return bed.stripes(id()).get(0).getStripe().getMembers(0).getHome();
  }

  /** A node without a block of the stripe. */
  private int spare() {
    for (int i = 0; i < bed.cluster.nodes(); i++) {
      String uuid = bed.cluster.uuid(i);
      if (stripe.getMembersList().stream().noneMatch(m -> m.getHome().equals(uuid))) {
        return i;
      }
    }
    throw new AssertionError("every node has a block of the stripe");
  }

  /** Copies the block's files from the home's disk to another node, as a repair would. */
  private void rebuildOn(int node) throws Exception {
    Path source = Disks.file(bed.cluster, homeNode(), id()).orElseThrow();
    Path meta =
        source.resolveSibling("blk_" + id() + "_" + member().getBlock().getGeneration() + ".meta");
    DataNode target = bed.cluster.dataNode(node);
    FsDatasetSpi<? extends FsVolumeSpi> data = target.getFSDataset();
    ExtendedBlock block =
        new ExtendedBlock(
            bed.cluster.nameNode().getNamesystem().getBlockPoolId(),
            id(),
            member().getBlock().getLength(),
            member().getBlock().getGeneration());
    try (ReplicaHandler handler = data.createTemporary(StorageType.DISK, null, block, false)) {
      LocalReplica replica = (LocalReplica) handler.getReplica().getReplicaInfo();
      Files.write(replica.getBlockFile().toPath(), Files.readAllBytes(source));
      Files.write(replica.getMetaFile().toPath(), Files.readAllBytes(meta));
      handler.getReplica().setNumBytes(block.getNumBytes());
    }
    data.finalizeBlock(block, false);
    target.notifyNamenodeReceivedBlock(block, "", data.getVolume(block).getStorageID(), false);
    Await.until(
        "the NameNode to list the new copy",
        () -> bed.holders(id()).contains(bed.cluster.uuid(node)));
  }

  private void describe(String newHome) throws Exception {
    StripeProto.Builder changed = stripe.toBuilder();
    changed.getMembersBuilder(0).setHome(newHome);
    bed.put(BraidPaths.stripePath(stripe.getId()), changed.build());
  }

  private void awaitOnly(String uuid) throws Exception {
    Await.until("only the copy on " + uuid, () -> bed.copies(id()).equals(Set.of(uuid)));
    Await.until("only that in the NameNode", () -> bed.holders(id()).equals(Set.of(uuid)));
    assertEquals(uuid, recordedHome());
    assertEquals(1, bed.block(id()).getReplication());
  }

  @Test
  void aReturningNodesCopyGoesNotTheRebuiltOne() throws Exception {
    int old = homeNode();
    bed.cluster.stopNode(old);
    bed.cluster.awaitDead(old);
    int fresh = spare();
    rebuildOn(fresh);
    describe(bed.cluster.uuid(fresh));
    bed.cluster.startNode(old);
    awaitOnly(bed.cluster.uuid(fresh));
  }

  @Test
  void aRebuiltCopyThatNobodyDescribedBecomesTheHome() throws Exception {
    int old = homeNode();
    bed.cluster.stopNode(old);
    bed.cluster.awaitDead(old);
    int fresh = spare();
    rebuildOn(fresh);
    Await.until("the new home", () -> recordedHome().equals(bed.cluster.uuid(fresh)));
    bed.cluster.startNode(old);
    awaitOnly(bed.cluster.uuid(fresh));
    bed.restart();
    Await.until("the description", () -> recordedHome().equals(bed.cluster.uuid(fresh)));
  }

  @Test
  void bothStayWhileTheHomeIsSilent() throws Exception {
    DataNode silent = bed.cluster.dataNode(homeNode());
    var descriptor = bed.blocks().getDatanodeManager().getDatanode(home());
    silent.setHeartbeatsDisabledForTests(true);
    Await.until("the home to be suspect", () -> ReplicaView.silence(descriptor) > 4200);
    int fresh = spare();
    rebuildOn(fresh);
    while (ReplicaView.silence(descriptor) < 8000) {
      assertEquals(2, bed.copies(id()).size());
      assertEquals(2, bed.holders(id()).size());
      Thread.sleep(100);
    }
    silent.setHeartbeatsDisabledForTests(false);
    awaitOnly(home());
  }

  @Test
  void oneStaysWhicheverNodeIsReallyGone() throws Exception {
    // The NameNode believes the home alive for ten more seconds; its port refuses.
    int old = homeNode();
    bed.cluster.stopNode(old);
    int fresh = spare();
    rebuildOn(fresh);
    Await.until("the rebuilt copy to be the home", () -> recordedHome().equals(uuid(fresh)));
    assertTrue(bed.holders(id()).contains(uuid(fresh)));
    bed.cluster.awaitDead(old);
    assertEquals(Set.of(uuid(fresh)), bed.holders(id()));
    bed.cluster.startNode(old);
    awaitOnly(uuid(fresh));
  }

  private String uuid(int node) {
    return bed.cluster.uuid(node);
  }

  @Test
  void aDamagedHomeGivesWay() throws Exception {
    int fresh = spare();
    Path damaged = Disks.file(bed.cluster, homeNode(), id()).orElseThrow();
    byte[] good = Files.readAllBytes(damaged);
    byte[] bad = good.clone();
    bad[100] ^= 1;
    rebuildOnWith(fresh, damaged, bad);
    awaitOnly(uuid(fresh));
  }

  /** Rebuilds and then damages the home, before anybody has looked at it. */
  private void rebuildOnWith(int fresh, Path damaged, byte[] bad) throws Exception {
    // The guard looks only at suspects that are reliable: keep the home silent meanwhile.
    DataNode silent = bed.cluster.dataNode(homeNode());
    var descriptor = bed.blocks().getDatanodeManager().getDatanode(home());
    silent.setHeartbeatsDisabledForTests(true);
    Await.until("the home to be suspect", () -> ReplicaView.silence(descriptor) > 4200);
    rebuildOn(fresh);
    Files.write(damaged, bad);
    silent.setHeartbeatsDisabledForTests(false);
  }

  @Test
  void allStayWhenNoneIsAsRecorded() throws Exception {
    StripeProto.Builder wrong = stripe.toBuilder();
    wrong.getMembersBuilder(0).setCrc32C(~member().getCrc32C());
    bed.put(BraidPaths.stripePath(stripe.getId()), wrong.build());
    int fresh = spare();
    rebuildOn(fresh);
    for (int i = 0; i < 30; i++) {
      assertEquals(Set.of(home(), uuid(fresh)), bed.holders(id()));
      Thread.sleep(100);
    }
    bed.put(BraidPaths.stripePath(stripe.getId()), stripe);
    awaitOnly(home());
  }

  @Test
  void aBlockThatHasToMoveIsNotAdoptedWhereItIs() throws Exception {
    int target = spare();
    StripeProto.Builder moving = stripe.toBuilder();
    moving.getMembersBuilder(0).setHome(uuid(target));
    for (MemberProto member : moving.getMembersList()) {
      moving.addTargetRacks(bed.rack(member.getHome()));
    }
    bed.put(BraidPaths.stripePath(stripe.getId()), moving.build());
    // Longer than the guard's own scan takes to come round.
    for (int i = 0; i < 110; i++) {
      assertEquals(uuid(target), recordedHome());
      assertEquals(Set.of(home()), bed.holders(id()));
      Thread.sleep(100);
    }
    rebuildOn(target);
    awaitOnly(uuid(target));
  }

  @Test
  void blocksOfNoStripeAreLeftToHdfs() throws Exception {
    FileProto plain = bed.write("/plain", 2, 3);
    bed.fs.setReplication(new org.apache.hadoop.fs.Path("/plain"), (short) 1);
    for (int b = 0; b < 2; b++) {
      long block = plain.getBlocks(b).getBlock().getId();
      Await.until("one replica", () -> bed.holders(block).size() == 1);
      Await.until("one copy", () -> bed.copies(block).equals(bed.holders(block)));
    }
  }

  @Test
  void decommissioningKeepsTheStripeApart() throws Exception {
    var manager = bed.blocks().getDatanodeManager();
    Set<String> racks = new HashSet<>();
    for (MemberProto other : stripe.getMembersList()) {
      if (!other.equals(stripe.getMembers(0))) {
        racks.add(bed.rack(other.getHome()));
      }
    }
    var admin = manager.getDatanodeAdminManager();
    var leaving = manager.getDatanode(home());
    underLock(() -> admin.startDecommission(leaving));
    Await.until("a second copy", () -> bed.holders(id()).size() == 2);
    String moved =
        bed.holders(id()).stream().filter(uuid -> !uuid.equals(home())).findFirst().orElseThrow();
    assertTrue(!racks.contains(bed.rack(moved)), "the copy shares a rack with the stripe");
    Await.until("the new home", () -> recordedHome().equals(moved));
    // Back in service it has a copy too many, which is not the new home's.
    underLock(() -> admin.stopDecommission(leaving));
    awaitOnly(moved);
  }

  private static void underLock(Runnable change) {
    var namesystem = bed.cluster.nameNode().getNamesystem();
    namesystem.writeLock(RwLockMode.GLOBAL);
    try {
      change.run();
    } finally {
      namesystem.writeUnlock(RwLockMode.GLOBAL, "test");
    }
  }
}
