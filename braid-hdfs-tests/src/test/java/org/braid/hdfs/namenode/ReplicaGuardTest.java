package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.NodeHeartbeats;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.braid.hdfs.datanode.BraidDataNodePlugin;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.metrics.DaemonMetrics;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.stripes.ReplicaGuard;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.MemberProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.StripeCodec;
import org.braid.hdfs.testing.Disks;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/** A block of a stripe has one replica too many: which one stays. */
final class ReplicaGuardTest {
  @RegisterExtension
  static final SharedNameNode fixture =
      SharedNameNode.of(
          5,
          5,
          Map.of(
              "dfs.datanode.plugins",
              BraidDataNodePlugin.class.getName(),
              "dfs.namenode.decommission.interval",
              "1",
              // A node that is silent is called dead after half a minute only.
              "dfs.namenode.heartbeat.recheck-interval",
              "10000"));

  private static int files;
  private StripeProto stripe = StripeProto.getDefaultInstance();
  private org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path("/");

  @BeforeEach
  void encode() throws Exception {
    fixture.cluster.awaitNodes();
    path = new org.apache.hadoop.fs.Path("/f" + files++);
    FileProto file = fixture.write(path.toUri().getPath(), 2, 3);
    stripe = fixture.publish("rs-2-1", file.getBlocksList(), x -> x);
    assertEquals(List.of(), fixture.trim(stripe.getId()));
    fixture.fs.setReplication(path, (short) 1);
    Await.until("one copy on the disks", () -> fixture.copies(id()).equals(Set.of(home())));
    Await.until("the deletions to be reported", () -> fixture.leaving(id()).isEmpty());
  }

  /** What is left of a test is no work for the next. */
  @AfterEach
  void remove() throws Exception {
    fixture.fs.delete(path, false);
    assertTrue(fixture.sweep().contains(BraidPaths.stripePath(stripe.getId())));
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
    return fixture.cluster.indexOf(home()).orElseThrow();
  }

  private String recordedHome() throws Exception {
    return fixture.stripes(id()).get(0).getStripe().getMembers(0).getHome();
  }

  /** A node without a block of the stripe. */
  private int spare() {
    for (int i = 0; i < fixture.cluster.nodes(); i++) {
      String uuid = fixture.cluster.uuid(i);
      if (stripe.getMembersList().stream().noneMatch(m -> m.getHome().equals(uuid))) {
        return i;
      }
    }
    throw new AssertionError("every node has a block of the stripe");
  }

  /** Copies the block from the home's disk to another node, as a repair would. */
  private void rebuildOn(int node) throws Exception {
    fixture.addReplica(homeNode(), node, StripeCodec.of(member().getBlock()));
    Await.until(
        "the NameNode to list the new copy",
        () -> fixture.holders(id()).contains(fixture.cluster.uuid(node)));
  }

  private void awaitOnly(String uuid) throws Exception {
    Await.until("only the copy on " + uuid, () -> fixture.copies(id()).equals(Set.of(uuid)));
    Await.until("only that in the NameNode", () -> fixture.holders(id()).equals(Set.of(uuid)));
    assertEquals(uuid, recordedHome());
    assertEquals(1, fixture.block(id()).getReplication());
  }

  @Test
  void oneStaysWhicheverNodeIsReallyGone() throws Exception {
    // The NameNode believes the home alive for half a minute; its port refuses.
    int old = homeNode();
    fixture.cluster.stopNode(old);
    int fresh = spare();
    rebuildOn(fresh);
    Await.until("the rebuilt copy to be the home", () -> recordedHome().equals(uuid(fresh)));
    assertTrue(fixture.holders(id()).contains(uuid(fresh)));
    fixture.cluster.awaitDead(old);
    assertEquals(Set.of(uuid(fresh)), fixture.holders(id()));
    fixture.cluster.startNode(old);
    awaitOnly(uuid(fresh));
  }

  private String uuid(int node) {
    return fixture.cluster.uuid(node);
  }

  /** What the NameNode has counted so far. */
  private static long counted(String name) {
    MetricsCollectorImpl collected = new MetricsCollectorImpl();
    DefaultMetricsSystem.instance().getSource(DaemonMetrics.SOURCE).getMetrics(collected, true);
    for (AbstractMetric metric : collected.getRecords().get(0).metrics()) {
      if (metric.name().equals(name)) {
        return metric.value().longValue();
      }
    }
    throw new AssertionError(name + " is not counted");
  }

  @Test
  void copiesThatTheGuardDropsAreCounted() throws Exception {
    long replicas = counted("ReplicasDropped");
    long bytes = counted("BytesDropped");
    rebuildOn(spare());
    awaitOnly(home());
    assertEquals(replicas + 1, counted("ReplicasDropped"));
    assertEquals(bytes + member().getBlock().getLength(), counted("BytesDropped"));
  }

  /** Its trim may have been refused, and then nobody asked again. */
  @Test
  void aStripeThatNeedsNoTrimAnyMoreIsNotWaitedFor() throws Exception {
    FileProto file = fixture.write("/untrimmed", 2, 3);
    StripeProto left = fixture.publish("rs-2-1", file.getBlocksList(), x -> x);
    MemberProto first = left.getMembers(0);
    StripeIndex index = fixture.plugin().index();
    assertEquals(Optional.of(first.getHome()), index.awaitedAt(first.getBlock().getId()));
    fixture.fs.setReplication(new org.apache.hadoop.fs.Path("/untrimmed"), (short) 1);
    Await.until(
        "the stripe to be forgotten", () -> index.awaitedAt(first.getBlock().getId()).isEmpty());
    fixture.fs.delete(new org.apache.hadoop.fs.Path("/untrimmed"), false);
    assertTrue(fixture.sweep().contains(BraidPaths.stripePath(left.getId())));
  }

  @Test
  void bothStayWhileTheHomeIsSilentAndADamagedHomeGivesWay() throws Exception {
    DataNode silent = fixture.cluster.dataNode(homeNode());
    var descriptor = fixture.blocks().getDatanodeManager().getDatanode(home());
    NodeHeartbeats.set(silent, false);
    Await.until("the home to be suspect", () -> ReplicaView.silence(descriptor) > 4200);
    int fresh = spare();
    rebuildOn(fresh);
    Await.until(
        "the home to be silent for long",
        () -> {
          assertEquals(2, fixture.copies(id()).size());
          assertEquals(2, fixture.holders(id()).size());
          return ReplicaView.silence(descriptor) > 6500;
        });
    Path damaged = Disks.file(fixture.cluster, homeNode(), id()).orElseThrow();
    byte[] bad = Files.readAllBytes(damaged);
    bad[100] ^= 1;
    Files.write(damaged, bad);
    NodeHeartbeats.set(silent, true);
    awaitOnly(uuid(fresh));
  }

  @Test
  void allStayWhenNoneIsAsRecorded() throws Exception {
    StripeProto.Builder wrong = stripe.toBuilder();
    wrong.getMembersBuilder(0).setCrc32C(~member().getCrc32C());
    fixture.put(BraidPaths.stripePath(stripe.getId()), wrong.build());
    int fresh = spare();
    LogCapturer log =
        LogCapturer.captureLogs(LoggerFactory.getLogger(ReplicaGuard.class.getPackageName()));
    try {
      rebuildOn(fresh);
      for (int node : new int[] {homeNode(), fresh}) {
        String mismatch = "blk_%d of stripe %s on %s: CRC-32C is";
        Await.until(
            "the guard to read the replica on node " + node,
            () -> log.getOutput().contains(mismatch.formatted(id(), stripe.getId(), uuid(node))));
      }
      Await.until(
          "the guard to give up twice",
          () -> log.getOutput().split("blk_" + id() + " .* all stay", -1).length > 2);
    } finally {
      log.stopCapturing();
    }
    assertEquals(Set.of(home(), uuid(fresh)), fixture.holders(id()));
    assertEquals(Set.of(home(), uuid(fresh)), fixture.copies(id()));
    fixture.put(BraidPaths.stripePath(stripe.getId()), stripe);
    awaitOnly(home());
  }

  /** What is read takes its time, and what was true before need not be true then. */
  @Test
  void bothStayWhenWhatTheBlockIsRebuiltFromIsLostMeanwhile() throws Exception {
    int other = fixture.cluster.indexOf(stripe.getMembers(1).getHome()).orElseThrow();
    AtomicInteger reads = new AtomicInteger();
    int fresh = spare();
    InjectedFaults.install(
        (step, detail) -> {
          boolean own = detail.contains(String.valueOf(id()));
          if (step == FaultStep.WORKER_READ && own && reads.getAndIncrement() == 0) {
            fixture.cluster.stopNode(other);
            fixture.cluster.awaitDead(other);
          }
        });
    try {
      rebuildOn(fresh);
      Await.until("a copy to be read", () -> reads.get() > 0);
      Await.stays(
          "both copies",
          Duration.ofSeconds(15),
          Set.of(home(), uuid(fresh)),
          () -> fixture.holders(id()));
    } finally {
      InjectedFaults.clear();
    }
    // With the other node one copy is enough.
    fixture.cluster.startNode(other);
    Await.until(
        "the stripe to be trimmed again", () -> fixture.trim(stripe.getId()), List.of()::equals);
  }

  /** The node says that it has the copy; what a mover wrote there is another matter. */
  @Test
  void aMoversCopyReplacesTheBlockOnlyOnceItWasReadFromDisk() throws Exception {
    int target = spare();
    LogCapturer log =
        LogCapturer.captureLogs(LoggerFactory.getLogger(ReplicaGuard.class.getPackageName()));
    try {
      move(
          target,
          content -> {
            content[content.length - 1] ^= 1;
            return content;
          });
      Await.until(
          "the guard to read the copy",
          () -> log.getOutput().contains("blk_" + id()) && log.getOutput().contains(uuid(target)));
    } finally {
      log.stopCapturing();
    }
    awaitOnly(home());
  }

  @Test
  void aMoversGoodCopyIsTheNewHome() throws Exception {
    int target = spare();
    move(target, content -> content);
    awaitOnly(uuid(target));
  }

  private void move(int target, UnaryOperator<byte[]> change) throws Exception {
    fixture.addReplica(homeNode(), target, StripeCodec.of(member().getBlock()), home(), change);
  }

  @Test
  void blocksOfNoStripeAreLeftToHdfs() throws Exception {
    FileProto plain = fixture.write("/plain", 2, 3);
    fixture.fs.setReplication(new org.apache.hadoop.fs.Path("/plain"), (short) 1);
    for (int b = 0; b < 2; b++) {
      long block = plain.getBlocks(b).getBlock().getId();
      Await.until("one replica", () -> fixture.holders(block).size() == 1);
      Await.until("one copy", () -> fixture.copies(block).equals(fixture.holders(block)));
    }
  }

  /**
   * As after a trim, a failover, a restoration there, and a failover back: the aim of one replica
   * is in the memory of one NameNode alone.
   */
  @Test
  void aBlockOfNoStripeAimsAtWhatItsFileWants() throws Exception {
    long block = fixture.write("/behind", 1, 3).getBlocks(0).getBlock().getId();
    underLock(() -> fixture.blocks().setReplication((short) 3, (short) 1, fixture.block(block)));
    Await.until("the aim of the file", () -> fixture.block(block).getReplication() == 3);
    assertEquals(3, fixture.holders(block).size());
    assertEquals(Set.of(), fixture.leaving(block));
    // The user's own wish is HDFS's business.
    fixture.fs.setReplication(new org.apache.hadoop.fs.Path("/behind"), (short) 1);
    Await.until("one replica", () -> fixture.holders(block).size() == 1);
  }

  @Test
  void decommissioningKeepsTheStripeApart() throws Exception {
    var manager = fixture.blocks().getDatanodeManager();
    Set<String> racks = new HashSet<>();
    for (MemberProto other : stripe.getMembersList()) {
      if (!other.equals(stripe.getMembers(0))) {
        racks.add(fixture.rack(other.getHome()));
      }
    }
    var admin = manager.getDatanodeAdminManager();
    var leaving = manager.getDatanode(home());
    underLock(() -> admin.startDecommission(leaving));
    Await.until("a second copy", () -> fixture.holders(id()).size() == 2);
    String moved =
        fixture.holders(id()).stream()
            .filter(uuid -> !uuid.equals(home()))
            .findFirst()
            .orElseThrow();
    assertTrue(!racks.contains(fixture.rack(moved)), "the copy shares a rack with the stripe");
    Await.until("the new home", () -> recordedHome().equals(moved));
    // Back in service it has a copy too many, which is not the new home's.
    underLock(() -> admin.stopDecommission(leaving));
    awaitOnly(moved);
  }

  /** HDFS calls a file that only a snapshot has, and that had been renamed, by its name alone. */
  @Test
  void whatHasNoPathIsCopiedToo() throws Exception {
    var kept = new org.apache.hadoop.fs.Path("/kept");
    var renamed = new org.apache.hadoop.fs.Path("/renamed");
    fixture.fs.mkdirs(kept);
    fixture.fs.rename(path, new org.apache.hadoop.fs.Path(kept, "f"));
    fixture.fs.allowSnapshot(kept);
    fixture.fs.createSnapshot(kept, "s");
    fixture.fs.rename(new org.apache.hadoop.fs.Path(kept, "f"), renamed);
    fixture.fs.delete(renamed, false);
    var manager = fixture.blocks().getDatanodeManager();
    var leaving = manager.getDatanode(home());
    // Before HDFS asks, which would end the NameNode.
    var nodes = fixture.plugin().neighbours().of("renamed", leaving, manager.getNetworkTopology());
    assertEquals(Set.of(), nodes.apart());
    assertTrue(fixture.stripes(id()).get(0).getMembers(0).getOnlyInSnapshots());
    underLock(() -> manager.getDatanodeAdminManager().startDecommission(leaving));
    Await.until("a second copy", () -> fixture.holders(id()).size() == 2);
    underLock(() -> manager.getDatanodeAdminManager().stopDecommission(leaving));
    fixture.fs.deleteSnapshot(kept, "s");
    fixture.fs.disallowSnapshot(kept);
  }

  private static void underLock(Runnable change) {
    var namesystem = fixture.cluster.nameNode().getNamesystem();
    namesystem.writeLock();
    try {
      change.run();
    } finally {
      namesystem.writeUnlock("test");
    }
  }
}
