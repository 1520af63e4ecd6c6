package org.braid.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.braid.code.SubBlock;
import org.braid.engine.block.CellLayout;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.proto.BraidProtos.BlockCrcProto;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteResponseProto;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.rpc.FragmentCodec;
import org.braid.hdfs.rpc.StoreTarget;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.plan.Plan;
import org.braid.plan.shape.RelocationPlanner;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What workers do with blocks of several sub-blocks. */
final class SubBlocksTest {
  private static final int MEMORY = 1 << 20;

  /** A block that ends within its last but one round. */
  private static final int CONTENT = 60_000;

  private static final CellLayout LAYOUT = new CellLayout(3, 2048, 21_000);

  @TempDir static Path directory;
  static WorkerFixture fixture;
  private static byte[] content = new byte[0];
  private static BlockProto block = BlockProto.getDefaultInstance();

  @BeforeAll
  static void start() throws IOException {
    fixture =
        WorkerFixture.start(directory, 2, Map.of(BraidDataNodePlugin.MEMORY_KEY, "" + MEMORY));
    content = WorkerFixture.bytes(random(), CONTENT);
    block = fixture.write("/block", 0, content);
  }

  @AfterAll
  static void stop() throws IOException {
    fixture.close();
  }

  @AfterEach
  void clear() {
    InjectedFaults.clear();
  }

  private static Random random() {
    return Seeds.random(SubBlocksTest.class);
  }

  private static ExecuteRequestProto.Builder request(Plan plan, String run, int node, String path) {
    return FragmentCodec.layOut(
        fixture.request(
            plan, node, run, LAYOUT.unit(), i -> block, target -> StoreTarget.parity(path)),
        LAYOUT);
  }

  private static String path(String run) {
    return BraidPaths.stagingPath(run, 0, fixture.cluster.uuid(1));
  }

  private static ExecuteResponseProto response(ExecuteRequestProto request) throws Exception {
    return fixture
        .execute(request.getNode(), request)
        .get(30, java.util.concurrent.TimeUnit.SECONDS);
  }

  private static Plan reading(int... indices) {
    Plan.Builder plan = Plan.builder("reading");
    IntStream.of(indices).forEach(i -> plan.read(0, new SubBlock(0, i)));
    return plan.build();
  }

  private static List<BlockCrcProto> crc(byte[] bytes) {
    return FragmentCodec.blockCrcs(Map.of(0, WorkerFixture.crc(bytes)));
  }

  @Test
  void aBlockIsReadAndStoredInWhateverOrderItsSubBlocksCome() throws Exception {
    byte[] padded = Arrays.copyOf(content, (int) LAYOUT.blockLength());
    Plan.Builder mixed = Plan.builder("mixed");
    for (int i : new int[] {1, 2, 0}) {
      mixed.read(0, new SubBlock(0, i));
    }
    int[] sent = {2, 0, 1};
    for (int i : sent) {
      mixed.store(mixed.send(mixed.read(0, new SubBlock(0, i)), 1), new SubBlock(0, i));
    }
    for (Plan plan : List.of(mixed.build(), RelocationPlanner.move(0, 3, 0, 1))) {
      String run = fixture.newRun();
      var storing = fixture.execute(1, request(plan, run, 1, path(run)).build());
      ExecuteResponseProto read = response(request(plan, run, 0, path(run)).build());
      assertEquals(crc(padded), read.getReadBlocksList());
      ExecuteResponseProto stored = storing.get(30, java.util.concurrent.TimeUnit.SECONDS);
      assertEquals(crc(padded), stored.getStoredBlocksList());
      assertArrayEquals(padded, fixture.read(path(run)));
      assertEquals(0, fixture.ping(1).getMemoryUsed());
    }
  }

  @Test
  void onlyTheCellsOfTheSubBlocksAskedForAreRead() throws Exception {
    BlockProto whole = block;
    try {
      block = fixture.write("/cells", 0, content);
      // Every cell of sub-block 1 is damaged.
      try (RandomAccessFile file = new RandomAccessFile(fixture.file(0, block).toFile(), "rw")) {
        for (long at = 0; at < LAYOUT.unit(); at += LAYOUT.run(at)) {
          file.seek(LAYOUT.inBlock(1, at) + 700);
          file.write(content[(int) LAYOUT.inBlock(1, at) + 700] ^ 1);
          if (LAYOUT.inBlock(1, at + LAYOUT.run(at)) + 700 > CONTENT) {
            break;
          }
        }
      }
      ExecuteResponseProto good = response(request(reading(0, 2), fixture.newRun(), 0, "").build());
      assertEquals(2, good.getReadsCount());
      assertEquals(List.of(), good.getReadBlocksList());
      String failure =
          WorkerFixture.failure(
              fixture.execute(0, request(reading(1), fixture.newRun(), 0, "").build()));
      assertTrue(failure.contains("checksum error at byte"), failure);
    } finally {
      block = whole;
    }
  }

  @Test
  void aRangeOfASubBlockIsReadFromWhereItIs() throws Exception {
    ExecuteRequestProto.Builder request = request(reading(2), fixture.newRun(), 0, "");
    request.getOpsBuilder(0).getReadBuilder().setOffset(3000);
    request.setLength(5000);
    byte[] expected = new byte[5000];
    for (int i = 0; i < expected.length; i++) {
      expected[i] = content[(int) LAYOUT.inBlock(2, 3000 + i)];
    }
    assertEquals(
        Map.of(new SubBlock(0, 2), WorkerFixture.crc(expected)),
        FragmentCodec.crcs(response(request.build()).getReadsList()));
  }

  @Test
  void bytesThatChangeBeforeTheDiskAreNotPublished() throws Exception {
    String run = fixture.newRun();
    AtomicInteger left = new AtomicInteger(3);
    InjectedFaults.change(
        FaultStep.WORKER_STORE,
        bytes -> {
          if (left.decrementAndGet() == 0) {
            bytes.put(5, (byte) ~bytes.get(5));
          }
        });
    Plan plan = RelocationPlanner.move(0, 3, 0, 1);
    var storing = fixture.execute(1, request(plan, run, 1, path(run)).build());
    var unused = fixture.execute(0, request(plan, run, 0, path(run)).build());
    String failure = WorkerFixture.failure(storing);
    assertTrue(failure.contains("where it was combined: not published"), failure);
    assertFalse(fixture.fs.exists(new org.apache.hadoop.fs.Path(path(run))));
    assertEquals(0, fixture.ping(1).getMemoryUsed());
  }

  @Test
  void requestsThatDoNotFitTheLayoutAreRefused() throws Exception {
    String run = fixture.newRun();
    Plan.Builder two = Plan.builder("two of three");
    for (int i = 0; i < 2; i++) {
      two.store(two.send(two.read(0, new SubBlock(0, i)), 1), new SubBlock(0, i));
    }
    refused(
        request(two.build(), run, 1, path(run)),
        "21000 bytes of sub-blocks [0, 1] of block 0 are not all of its 3 sub-blocks of 21000");
    refused(request(reading(3), run, 0, ""), "bad request: sub-block 3 is read of blocks of 3");
    ExecuteRequestProto.Builder late = request(reading(1), run, 0, "");
    late.getOpsBuilder(0).getReadBuilder().setOffset(1);
    refused(late, "21000 bytes from 1 on are not in a sub-block of 21000");
    ExecuteRequestProto.Builder flat = request(reading(1), run, 0, "");
    flat.getCellsBuilder().setCell(0);
    refused(flat, "no layout of 3 sub-blocks");
  }

  private static void refused(ExecuteRequestProto.Builder request, String reason)
      throws IOException {
    String failure = WorkerFixture.failure(fixture.execute(request.getNode(), request.build()));
    assertTrue(failure.contains(reason), failure);
  }

  /** One value at a time, and of three sub-blocks a slice each that waits for the others. */
  @Test
  void theMemoryOfWaitingSubBlocksCounts() throws Exception {
    String run = fixture.newRun();
    CellLayout large = new CellLayout(3, 300_000, 600_000);
    ExecuteRequestProto.Builder request =
        request(RelocationPlanner.move(0, 3, 0, 1), run, 1, path(run));
    request.setSlice(300_000).setLength(large.unit());
    refused(
        FragmentCodec.layOut(request, large),
        "the fragment needs buffers of 1200000 bytes, the limit is " + MEMORY);
  }
}
