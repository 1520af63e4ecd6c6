package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.fault.FaultHook;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.Replica;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.testing.Disks;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wrong bytes are noticed wherever they arise, and the one good copy is never deleted. */
final class IntegrityTest {
  private static final Random RANDOM = Seeds.random(IntegrityTest.class);
  private static final AtomicInteger NUMBER = new AtomicInteger();
  @RegisterExtension static final SharedCluster fixture = new SharedCluster(5, 10);

  @AfterEach
  void reset() throws Exception {
    InjectedFaults.clear();
    fixture.startAll();
  }

  private static String converted(int blocks) throws IOException {
    return converted("rs-3-2", blocks);
  }

  private static String converted(String code, int blocks) throws IOException {
    String path = written(blocks);
    fixture.convertAll(code, path);
    fixture.assertConverted(path);
    return path;
  }

  private static String written(int blocks) throws IOException {
    String path = "/integrity" + NUMBER.incrementAndGet() + "/f";
    fixture.write(path, blocks * ClusterFixture.BLOCK, 3, RANDOM);
    return path;
  }

  private static StripeStatus stripeOf(String path) throws IOException {
    return Movers.stripesOf(fixture, path).get(0);
  }

  private static void corrupt(int node, BlockIdentity block) throws IOException {
    Disks.flip(fixture.hdfs, node, block.id(), (int) block.length() / 2);
  }

  /** Its HDFS part is as alive as ever. */
  @Test
  void aNodeThatComesBackWithoutThePluginIsNotSuspect() throws Exception {
    fixture.hdfs.stopNode(2);
    String uuid = fixture.hdfs.uuid(2);
    try (NameNodeCalls calls = fixture.calls()) {
      Await.until(
          "it to be suspect",
          () -> calls.cluster().getDatanodesList().stream().anyMatch(n -> n.getSuspect()));
      fixture.hdfs.startPlainNode(2);
      fixture.hdfs.awaitNodes();
      fixture.awaitTrusted(uuid);
    } finally {
      fixture.hdfs.stopNode(2);
    }
  }

  @ParameterizedTest
  @CsvSource({"rs-3-2, chain", "rs-3-2, ppr", "rs-3-2, star", "rotated-rs-3-2-4, star"})
  void aCorruptHelperIsLeftOutAndRebuiltToo(String code, String shape) throws Exception {
    String path = converted(code, 3);
    StripeStatus stripe = stripeOf(path);
    List<Integer> homes = fixture.homes(stripe);
    corrupt(homes.get(1), stripe.stripe().member(1).block());
    fixture.hdfs.stopNode(homes.get(0));
    RepairReport report = fixture.repair(path, shape);
    assertEquals(List.of(), report.unrepairable());
    assertTrue(report.repaired().size() >= 1);
    // Where the helpers chosen were others, only this read meets the bad one, and rebuilds it.
    fixture.assertReadsDegraded(path);
    Await.until(
        "repairs to find the bad helper",
        () -> {
          fixture.repair(path, shape);
          return fixture.fsck(path).files().get(0).findings().isEmpty();
        });
    fixture.assertReads(path);
  }

  @Test
  void aCorruptSourceReplicaIsNotEncoded() throws Exception {
    String path = written(3);
    var block = fixture.files(path).get(0).blocks().get(1);
    int node = fixture.hdfs.indexOf(block.replicas().get(0).node()).orElseThrow();
    corrupt(node, block.block());
    fixture.convertAll("rs-3-2", path);
    fixture.assertConverted(path);
    fixture.assertReads(path);
    fixture.assertClean(path);
  }

  /** A conversion that stopped before trimming is taken up later; its copies have aged. */
  @ParameterizedTest
  @CsvSource({"0, true", "4, true", "0, false", "4, false"})
  void anUnfinishedStripeIsReadAnewBeforeItIsTrimmed(int position, boolean corrupt)
      throws Exception {
    String path = written(3);
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.NAMENODE_TRIM) {
            throw new IOException("stopped");
          }
        });
    assertEquals(1, fixture.convert("rs-3-2", path).skipped().size());
    InjectedFaults.clear();
    StripeStatus stripe = stripeOf(path);
    int home = fixture.homes(stripe).get(position);
    BlockIdentity aged = stripe.stripe().member(position).block();
    if (corrupt) {
      corrupt(home, aged);
    } else {
      // HDFS does not know until it compares its lists with its disks, after hours.
      Files.delete(Disks.file(fixture.hdfs, home, aged.id()).orElseThrow());
    }
    fixture.convertAll("rs-3-2", path);
    StripeStatus after = stripeOf(path);
    for (int i = 0; i < 5; i++) {
      BlockIdentity block = after.stripe().member(i).block();
      byte[] content = Disks.content(fixture.hdfs, fixture.homes(after).get(i), block.id());
      CRC32C crc = new CRC32C();
      crc.update(content);
      assertEquals(after.stripe().member(i).crc(), (int) crc.getValue(), "block " + i);
    }
    fixture.assertReads(path);
  }

  @ParameterizedTest
  @CsvSource({
    "rs-3-2, WORKER_SEND",
    "rs-3-2, WORKER_STORE",
    "rotated-rs-3-2-4, WORKER_SEND",
    "rotated-rs-3-2-4, WORKER_STORE"
  })
  void bytesThatChangeDuringConversionAreNoticed(String code, String step) throws Exception {
    String path = written(3);
    Flip flip = new Flip(FaultStep.valueOf(step));
    InjectedFaults.install(flip);
    fixture.convertAll(code, path);
    assertEquals(1, flip.flipped.get());
    InjectedFaults.clear();
    fixture.assertConverted(path);
    fixture.assertReads(path);
    // The parity is the right one: what it rebuilds is what was written.
    fixture.hdfs.stopNode(fixture.homes(stripeOf(path)).get(0));
    assertEquals(List.of(), fixture.repair(path, "chain").unrepairable());
    fixture.assertReads(path);
  }

  @ParameterizedTest
  @CsvSource({
    "rs-3-2, WORKER_SEND",
    "rs-3-2, WORKER_STORE",
    "rotated-rs-3-2-4, WORKER_SEND",
    "rotated-rs-3-2-4, WORKER_STORE"
  })
  void bytesThatChangeDuringRepairAreNotPublished(String code, String step) throws Exception {
    String path = converted(code, 6);
    fixture.hdfs.stopNode(fixture.homes(stripeOf(path)).get(0));
    Flip flip = new Flip(FaultStep.valueOf(step));
    InjectedFaults.install(flip);
    RepairReport report = fixture.repair(path, "chain");
    InjectedFaults.clear();
    assertEquals(1, flip.flipped.get());
    assertEquals(List.of(), report.unrepairable());
    fixture.assertReads(path);
    fixture.assertClean(path);
  }

  /** Flips one bit, once. */
  private static final class Flip implements FaultHook {
    private final FaultStep step;
    private final AtomicInteger flipped = new AtomicInteger();

    Flip(FaultStep step) {
      this.step = step;
    }

    @Override
    public void reached(FaultStep reached, String detail) {}

    @Override
    public void alter(FaultStep altered, String detail, ByteBuffer bytes) {
      if (altered == step && bytes.hasRemaining() && flipped.compareAndSet(0, 1)) {
        int at = bytes.position() + bytes.remaining() / 2;
        bytes.put(at, (byte) (bytes.get(at) ^ 1));
      }
    }
  }

  @Test
  void aFullTargetIsReplacedByAnother() throws Exception {
    String path = written(3);
    AtomicInteger refused = new AtomicInteger();
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.WORKER_STORE && refused.compareAndSet(0, 1)) {
            throw new IOException("No space left on device");
          }
        });
    ConvertReport report = fixture.convertAll("rs-3-2", path);
    InjectedFaults.clear();
    assertEquals(1, refused.get());
    assertEquals(1, report.stripes());
    fixture.assertConverted(path);
    fixture.assertClean("/");
  }

  @Test
  void aNodeThatReturnsAfterItsBlocksWereRebuiltNeverWins() throws Exception {
    String path = converted(9);
    int node = fixture.heaviestNode();
    fixture.hdfs.stopNode(node);
    fixture.hdfs.awaitDead(node);
    RepairReport report = fixture.repair(path, "chain");
    assertTrue(!report.repaired().isEmpty());
    fixture.start(node);
    assertHomesOnly(path);
  }

  @Test
  void aNodeThatFallsSilentForAFewSecondsNeverCostsTheGoodCopy() throws Exception {
    String path = converted(9);
    int node = fixture.heaviestNode();
    // The NameNode believes it alive all the time.
    fixture.hdfs.stopNode(node);
    RepairReport report = fixture.repair(path, "chain");
    assertTrue(!report.repaired().isEmpty());
    fixture.assertReads(path);
    fixture.start(node);
    assertHomesOnly(path);
  }

  /** One copy of each block is left, at its home, on disk and in the NameNode. */
  private static void assertHomesOnly(String path) throws Exception {
    Await.until(
        "extra copies to go",
        () ->
            fixture.files(path).stream()
                .flatMap(f -> f.blocks().stream())
                .allMatch(b -> b.replicas().size() == 1));
    fixture.assertReads(path);
    fixture.assertTolerant(path);
    fixture.assertClean(path);
    for (StripeStatus status : Movers.stripesOf(fixture, path)) {
      for (int i = 0; i < status.members().size(); i++) {
        if (!status.stripe().isVirtual(i) && !status.member(i).gone()) {
          int home = fixture.hdfs.indexOf(status.stripe().member(i).home()).orElseThrow();
          BlockIdentity block = status.stripe().member(i).block();
          assertTrue(
              fixture
                  .hdfs
                  .dataNode(home)
                  .getFSDataset()
                  .contains(
                      new ExtendedBlock(
                          fixture.hdfs.nameNode().getNamesystem().getBlockPoolId(),
                          block.id(),
                          block.length(),
                          block.generation())),
              "the copy at home is gone");
        }
      }
    }
  }

  @Test
  void filesThatOnlySnapshotsHaveAreChecked() throws Exception {
    String path = converted(3);
    StripeStatus stripe = stripeOf(path);
    Path directory = new Path(path).getParent();
    fixture.fs.allowSnapshot(directory);
    fixture.fs.createSnapshot(directory, "s");
    fixture.fs.delete(new Path(path), false);
    try {
      List<FsckReport.FileState> healthy = states("/", path);
      assertEquals(1, healthy.size());
      assertTrue(healthy.get(0).onlyInSnapshots());
      assertEquals(FsckReport.State.HEALTHY, healthy.get(0).state());
      int node = fixture.homes(stripe).get(0);
      fixture.hdfs.stopNode(node);
      fixture.hdfs.awaitDead(node);
      List<FsckReport.FileState> damaged = states("/", path);
      assertEquals(1, damaged.size());
      assertEquals(FsckReport.State.REPAIRABLE, damaged.get(0).state());
      fixture.startAll();
    } finally {
      fixture.fs.deleteSnapshot(directory, "s");
      fixture.fs.disallowSnapshot(directory);
    }
    assertEquals(List.of(), states("/", path));
  }

  /** The file is there still: status counts the block, and fsck is to name it. */
  @Test
  void whatWasCutOffAndOnlySnapshotsHaveIsChecked() throws Exception {
    String path = converted(3);
    StripeStatus stripe = stripeOf(path);
    Path directory = new Path(path).getParent();
    fixture.fs.allowSnapshot(directory);
    fixture.fs.createSnapshot(directory, "s");
    try {
      assertTrue(fixture.fs.truncate(new Path(path), 2L * ClusterFixture.BLOCK));
      List<FsckReport.FileState> healthy = cutOff(path);
      assertEquals(1, healthy.size());
      assertEquals(1, healthy.get(0).blocks());
      assertEquals(FsckReport.State.HEALTHY, healthy.get(0).state());
      for (Replica replica : now(stripe).member(2).status().replicas()) {
        int node = fixture.hdfs.indexOf(replica.node()).orElseThrow();
        fixture.hdfs.stopNode(node);
        fixture.hdfs.awaitDead(node);
      }
      List<FsckReport.FileState> damaged = cutOff(path);
      assertEquals(1, damaged.size());
      assertEquals(
          List.of(stripe.stripe().member(2).block().name()),
          damaged.get(0).findings().stream().map(FsckReport.BlockState::name).toList());
      fixture.startAll();
    } finally {
      fixture.fs.deleteSnapshot(directory, "s");
      fixture.fs.disallowSnapshot(directory);
    }
    assertEquals(List.of(), cutOff(path));
    fixture.fs.delete(new Path(path), false);
  }

  private static StripeStatus now(StripeStatus stripe) throws IOException {
    try (NameNodeCalls calls = fixture.calls()) {
      return calls.refreshed(stripe);
    }
  }

  private static List<FsckReport.FileState> cutOff(String path) throws IOException {
    return states("/", path).stream().filter(FsckReport.FileState::onlyInSnapshots).toList();
  }

  private static List<FsckReport.FileState> states(String checked, String path) throws IOException {
    return fixture.fsck(checked).files().stream().filter(f -> f.path().equals(path)).toList();
  }

  @Test
  void filesBeingWrittenAreNotLost() throws Exception {
    Path path = new Path("/open" + NUMBER.incrementAndGet());
    try (FSDataOutputStream out = fixture.fs.create(path, (short) 3)) {
      out.write(new byte[ClusterFixture.BLOCK + 5]);
      out.hflush();
      assertEquals(0, fixture.fsck("/").count(FsckReport.State.LOST));
    }
    fixture.fs.delete(path, false);
  }

  @Test
  void convertedFilesKeepTheirLife() throws Exception {
    String path = converted(6);
    Path moved = new Path(path + ".moved");
    assertTrue(fixture.fs.rename(new Path(path), moved));
    fixture.hdfs.stopNode(fixture.homes(stripeOf(moved.toString())).get(0));
    assertEquals(List.of(), fixture.repair(moved.toString(), "chain").unrepairable());
    assertTrue(fixture.fs.rename(moved, new Path(path)));
    fixture.assertReads(path);
    fixture.startAll();

    try (var out = fixture.fs.append(new Path(path))) {
      out.write(new byte[] {1, 2, 3});
    }
    byte[] longer =
        java.util.Arrays.copyOf(fixture.content(path), fixture.content(path).length + 3);
    longer[longer.length - 3] = 1;
    longer[longer.length - 2] = 2;
    longer[longer.length - 1] = 3;
    org.junit.jupiter.api.Assertions.assertArrayEquals(
        longer, ClusterFixture.read(fixture.fs, path));
    // What was appended is in a block of its own, as safe as in a replicated file, until another
    // conversion takes it in.
    // The file is closed when one node has reported the block; others may do so a moment later.
    StoredFile appended =
        Await.until(
            "the copies of what was appended to be reported",
            () -> fixture.files(path).get(0),
            file -> file.blocks().get(file.blocks().size() - 1).replicas().size() == 3);
    BlockStatus last = appended.blocks().get(appended.blocks().size() - 1);
    assertEquals(3, appended.replication());
    assertEquals(3, last.block().length());
    assertEquals(3, last.replicas().size());
    FsckReport.FileState state = fixture.fsck(path).files().get(0);
    assertEquals(FsckReport.State.HEALTHY, state.state(), state.toString());
    fixture.convertAll("rs-3-2", path);
    fixture.assertConverted(path);
    org.junit.jupiter.api.Assertions.assertArrayEquals(
        longer, ClusterFixture.read(fixture.fs, path));
    assertTrue(fixture.fs.truncate(new Path(path), 2 * ClusterFixture.BLOCK));
    org.junit.jupiter.api.Assertions.assertArrayEquals(
        java.util.Arrays.copyOf(longer, 2 * ClusterFixture.BLOCK),
        ClusterFixture.read(fixture.fs, path));
    assertTrue(fixture.fs.setReplication(new Path(path), (short) 3));
    fixture.awaitReplicas(path, 3);
    fixture.fs.delete(new Path(path), false);
    fixture.repair("/", "chain");
    fixture.assertClean("/");
  }
}
