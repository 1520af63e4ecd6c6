package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.fault.Faults;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.StripeStatusProto;
import org.braid.hdfs.testing.Disks;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Wrong bytes are noticed wherever they arise, and the one good copy is never deleted. */
final class IntegrityTest {
  private static final Random RANDOM = Seeds.random(IntegrityTest.class);
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static Lab lab;

  @BeforeAll
  static void start() throws Exception {
    lab = new Lab(5, 10);
  }

  @AfterAll
  static void stop() throws Exception {
    lab.close();
  }

  @AfterEach
  void reset() throws Exception {
    Faults.clear();
    lab.startAll();
  }

  private static String converted(int blocks) throws IOException {
    return converted("rs-3-2", blocks);
  }

  private static String converted(String code, int blocks) throws IOException {
    String path = written(blocks);
    lab.convertAll(code, path);
    lab.assertConverted(path);
    return path;
  }

  private static String written(int blocks) throws IOException {
    String path = "/integrity" + NUMBER.incrementAndGet() + "/f";
    lab.write(path, blocks * Lab.BLOCK, 3, RANDOM);
    return path;
  }

  private static StripeStatusProto stripeOf(String path) throws IOException {
    long id = lab.files(path).get(0).getBlocks(0).getBlock().getId();
    try (NameNodeCalls calls = lab.calls()) {
      return calls.stripesOf(List.of(id)).get(0);
    }
  }

  private static void corrupt(int node, BlockProto block) throws IOException {
    Disks.flip(lab.hdfs, node, block.getId(), (int) block.getLength() / 2);
  }

  @ParameterizedTest
  @CsvSource({"rs-3-2, chain", "rs-3-2, ppr", "rs-3-2, star", "rotated-rs-3-2-4, star"})
  void aCorruptHelperIsLeftOutAndRebuiltToo(String code, String shape) throws Exception {
    String path = converted(code, 3);
    StripeStatusProto stripe = stripeOf(path);
    List<Integer> homes = lab.homes(stripe);
    corrupt(homes.get(1), stripe.getStripe().getMembers(1).getBlock());
    lab.hdfs.stopNode(homes.get(0));
    RepairReport report = lab.repair(path, shape);
    assertEquals(List.of(), report.unrepairable());
    assertTrue(report.repaired().size() >= 1);
    lab.assertReads(path);
    // If the first helpers chosen were others, the bad one is found by the read just made.
    assertTrue(
        Waiting.until(
            20_000,
            () -> {
              lab.repair(path, shape);
              return lab.fsck(path).files().get(0).findings().isEmpty();
            }));
    lab.assertReads(path);
  }

  @Test
  void aCorruptSourceReplicaIsNotEncoded() throws Exception {
    String path = written(3);
    var block = lab.files(path).get(0).getBlocks(1);
    int node = lab.hdfs.indexOf(block.getReplicas(0).getNode()).orElseThrow();
    corrupt(node, block.getBlock());
    lab.convertAll("rs-3-2", path);
    lab.assertConverted(path);
    lab.assertReads(path);
    lab.assertClean(path);
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
    Faults.install(flip);
    lab.convertAll(code, path);
    assertEquals(1, flip.flipped.get());
    Faults.clear();
    lab.assertConverted(path);
    lab.assertReads(path);
    // The parity is the right one: what it rebuilds is what was written.
    lab.hdfs.stopNode(lab.homes(stripeOf(path)).get(0));
    assertEquals(List.of(), lab.repair(path, "chain").unrepairable());
    lab.assertReads(path);
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
    lab.hdfs.stopNode(lab.homes(stripeOf(path)).get(0));
    Flip flip = new Flip(FaultStep.valueOf(step));
    Faults.install(flip);
    RepairReport report = lab.repair(path, "chain");
    Faults.clear();
    assertEquals(1, flip.flipped.get());
    assertEquals(List.of(), report.unrepairable());
    lab.assertReads(path);
    lab.assertClean(path);
  }

  /** Flips one bit, once. */
  private static final class Flip implements Faults.Hook {
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
    Faults.install(
        (step, detail) -> {
          if (step == FaultStep.WORKER_STORE && refused.compareAndSet(0, 1)) {
            throw new IOException("No space left on device");
          }
        });
    ConvertReport report = lab.convertAll("rs-3-2", path);
    Faults.clear();
    assertEquals(1, refused.get());
    assertEquals(1, report.stripes());
    lab.assertConverted(path);
    lab.assertClean("/");
  }

  @Test
  void aNodeThatReturnsAfterItsBlocksWereRebuiltNeverWins() throws Exception {
    String path = converted(9);
    int node = lab.heaviestNode();
    lab.hdfs.stopNode(node);
    lab.hdfs.awaitDead(node);
    RepairReport report = lab.repair(path, "chain");
    assertTrue(!report.repaired().isEmpty());
    lab.start(node);
    assertHomesOnly(path);
  }

  @Test
  void aNodeThatFallsSilentForAFewSecondsNeverCostsTheGoodCopy() throws Exception {
    String path = converted(9);
    int node = lab.heaviestNode();
    // The NameNode believes it alive all the time.
    lab.hdfs.stopNode(node);
    RepairReport report = lab.repair(path, "chain");
    assertTrue(!report.repaired().isEmpty());
    lab.assertReads(path);
    lab.start(node);
    assertHomesOnly(path);
  }

  /** One copy of each block is left, at its home, on disk and in the NameNode. */
  private static void assertHomesOnly(String path) throws Exception {
    assertTrue(
        Waiting.until(
            30_000,
            () ->
                lab.files(path).stream()
                    .flatMap(f -> f.getBlocksList().stream())
                    .allMatch(b -> b.getReplicasCount() == 1)),
        "extra copies stay");
    lab.assertReads(path);
    lab.assertTolerant(path);
    lab.assertClean(path);
    for (StripeStatusProto status : lab.stripes()) {
      for (int i = 0; i < status.getMembersCount(); i++) {
        if (!Stripes.isVirtual(status.getStripe(), i) && !status.getMembers(i).getGone()) {
          int home = lab.hdfs.indexOf(status.getStripe().getMembers(i).getHome()).orElseThrow();
          BlockProto block = status.getStripe().getMembers(i).getBlock();
          assertTrue(
              lab.hdfs
                  .dataNode(home)
                  .getFSDataset()
                  .contains(
                      new ExtendedBlock(
                          lab.hdfs.nameNode().getNamesystem().getBlockPoolId(),
                          block.getId(),
                          block.getLength(),
                          block.getGeneration())),
              "the copy at home is gone");
        }
      }
    }
  }

  @Test
  void convertedFilesKeepTheirLife() throws Exception {
    String path = converted(6);
    Path moved = new Path(path + ".moved");
    assertTrue(lab.fs.rename(new Path(path), moved));
    lab.hdfs.stopNode(lab.homes(stripeOf(moved.toString())).get(0));
    assertEquals(List.of(), lab.repair(moved.toString(), "chain").unrepairable());
    assertTrue(lab.fs.rename(moved, new Path(path)));
    lab.assertReads(path);
    lab.startAll();

    try (var out = lab.fs.append(new Path(path))) {
      out.write(new byte[] {1, 2, 3});
    }
    byte[] longer = java.util.Arrays.copyOf(lab.content(path), lab.content(path).length + 3);
    longer[longer.length - 3] = 1;
    longer[longer.length - 2] = 2;
    longer[longer.length - 1] = 3;
    org.junit.jupiter.api.Assertions.assertArrayEquals(longer, Lab.read(lab.fs, path));
    // What was appended is in no stripe: it is said, and another conversion takes it in.
    FsckReport.FileState state = lab.fsck(path).files().get(0);
    assertEquals(FsckReport.State.DEGRADED, state.state());
    assertTrue(
        state.findings().stream().anyMatch(f -> f.why().contains("changed after encoding")),
        state.toString());
    lab.convertAll("rs-3-2", path);
    lab.assertConverted(path);
    org.junit.jupiter.api.Assertions.assertArrayEquals(longer, Lab.read(lab.fs, path));
    assertTrue(lab.fs.truncate(new Path(path), 2 * Lab.BLOCK));
    org.junit.jupiter.api.Assertions.assertArrayEquals(
        java.util.Arrays.copyOf(longer, 2 * Lab.BLOCK), Lab.read(lab.fs, path));
    assertTrue(lab.fs.setReplication(new Path(path), (short) 3));
    lab.awaitReplicas(path, 3);
    lab.fs.delete(new Path(path), false);
    lab.repair("/", "chain");
    lab.assertClean("/");
  }
}
