package org.braid.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.braid.code.Codes;
import org.braid.code.Equation;
import org.braid.code.ErasureCode;
import org.braid.code.Solver;
import org.braid.code.SubBlock;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.fault.Faults;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.BytesProto;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.rpc.FragmentCodec;
import org.braid.hdfs.rpc.StoreTarget;
import org.braid.kernel.Kernels;
import org.braid.plan.EncodePlanner;
import org.braid.plan.Plan;
import org.braid.plan.RepairPlanner;
import org.braid.plan.RepairPlanners;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Encoding and repair of a stripe of rs-3-2, one block a node, by plans run on real workers. */
final class RebuildTest {
  private static final int NODES = 6;
  private static final int SPARE = 5;

  @TempDir static Path directory;
  static WorkerBed bed;
  private static final ErasureCode CODE = Codes.named("rs-3-2");
  private final Random random = Seeds.random(RebuildTest.class);

  private final BlockProto[] blocks = new BlockProto[5];
  private final byte[][] contents = new byte[5][];
  private int length;

  @BeforeAll
  static void start() throws IOException {
    bed = WorkerBed.start(directory, NODES, Map.of());
  }

  @AfterAll
  static void stop() throws IOException {
    bed.close();
  }

  @AfterEach
  void clear() {
    Faults.clear();
  }

  /** Block i of the stripe goes to node i; the second data block is shorter than the others. */
  private void stripe(String name) throws IOException {
    length = 200_000 + random.nextInt(5000);
    ByteBuffer[] inputs = new ByteBuffer[3];
    for (int i = 0; i < 3; i++) {
      byte[] content = WorkerBed.bytes(random, i == 1 ? length - 70_000 : length);
      contents[i] = content;
      blocks[i] = bed.write("/" + name + i, i, content);
      inputs[i] = ByteBuffer.wrap(Arrays.copyOf(content, length));
    }
    ByteBuffer[] outputs = {ByteBuffer.allocate(length), ByteBuffer.allocate(length)};
    Kernels.scalar().transform(CODE.generator().select(3, 4)).apply(inputs, outputs, length);
    for (int j = 0; j < 2; j++) {
      contents[3 + j] = outputs[j].array();
    }
  }

  private void stripeWithParity(String name) throws IOException {
    stripe(name);
    for (int j = 3; j < 5; j++) {
      blocks[j] = bed.write("/" + name + j, j, contents[j]);
    }
  }

  private BlockProto block(int index) {
    return blocks[index];
  }

  private Plan repair(String shape, int lost, int... helpers) {
    List<Integer> available = Arrays.stream(helpers).boxed().toList();
    List<Equation> equations = Solver.solve(CODE, List.of(lost), available).orElseThrow();
    return RepairPlanners.named(shape).plan(equations, block -> block, SPARE);
  }

  private Function<SubBlock, StoreTarget> rebuild(int lost) {
    return rebuild(lost, WorkerBed.crc(contents[lost]));
  }

  private Function<SubBlock, StoreTarget> rebuild(int lost, int crc) {
    return target -> StoreTarget.rebuild(blocks[lost], crc, "CRC32C", 512);
  }

  private void assertRebuilt(String path, int lost) throws Exception {
    String spare = bed.cluster.uuid(SPARE);
    WorkerBed.await(
        "the NameNode to list the spare",
        () ->
            Arrays.stream(bed.located(path).getLocations())
                .anyMatch(node -> node.getDatanodeUuid().equals(spare)));
    assertArrayEquals(contents[lost], bed.read(path));
    assertEquals(WorkerBed.crc(contents[lost]), bed.verify(SPARE, blocks[lost]));
    assertTrue(bed.node(SPARE).getFSDataset().getPinning(bed.replicas(SPARE).block(blocks[lost])));
  }

  private void assertNoTrace(int lost) throws Exception {
    assertEquals(List.of(), bed.filesOf(SPARE, blocks[lost]));
    assertEquals(0, bed.ping(SPARE).getMemoryUsed());
  }

  @Test
  void rebuildsByEveryShape() throws Exception {
    for (RepairPlanner planner : RepairPlanners.all()) {
      for (int lost : new int[] {0, 1, 4}) {
        String name = "shape-" + planner.name() + lost + "-";
        stripeWithParity(name);
        bed.lose(lost, blocks[lost]);
        int[] helpers = lost == 4 ? new int[] {0, 1, 2} : new int[] {2, 3, 4};
        helpers[0] = lost == 0 ? 1 : helpers[0];
        Plan plan = repair(planner.name(), lost, helpers);
        var responses = bed.run(plan, length, this::block, rebuild(lost));
        assertRebuilt("/" + name + lost, lost);
        int whole = WorkerBed.crc(Arrays.copyOf(contents[lost], length));
        assertEquals(
            Map.of(new SubBlock(lost, 0), whole),
            FragmentCodec.crcs(responses.response(SPARE).getStoresList()));
        long sent = 0;
        for (int node : plan.nodes()) {
          for (BytesProto part : responses.response(node).getSentList()) {
            sent += part.getBytes();
          }
        }
        assertEquals(3L * length, sent);
        for (int helper : helpers) {
          byte[] read = Arrays.copyOf(contents[helper], length);
          assertEquals(
              Map.of(new SubBlock(helper, 0), WorkerBed.crc(read)),
              FragmentCodec.crcs(responses.response(helper).getReadsList()));
        }
      }
    }
  }

  /** Values as short as the lost block do as well. */
  @Test
  void rebuildsAShortBlockFromShortReads() throws Exception {
    stripeWithParity("short");
    bed.lose(1, blocks[1]);
    bed.run(repair("chain", 1, 0, 3, 4), contents[1].length, this::block, rebuild(1));
    assertRebuilt("/short1", 1);
    blocks[1] = blocks[1].toBuilder().setId(77).build();
    var results =
        bed.start(repair("star", 1, 0, 3, 4), bed.newRun(), 1000, this::block, rebuild(1));
    assertTrue(
        results
            .failure(SPARE)
            .contains("of " + contents[1].length + " bytes cannot be stored from a value of"));
  }

  @Test
  void aWrongCrcIsNotPublished() throws Exception {
    stripeWithParity("wrong");
    bed.lose(0, blocks[0]);
    int good = WorkerBed.crc(contents[0]);
    var results =
        bed.start(
            repair("chain", 0, 1, 2, 3), bed.newRun(), length, this::block, rebuild(0, good ^ 1));
    assertTrue(
        results
            .failure(SPARE)
            .contains(
                "rebuilt block blk_%d_%d: CRC-32C is %08x, recorded is %08x: not published"
                    .formatted(blocks[0].getId(), blocks[0].getGeneration(), good, good ^ 1)));
    assertNoTrace(0);
    String spare = bed.cluster.uuid(SPARE);
    assertTrue(
        Arrays.stream(bed.located("/wrong0").getLocations())
            .noneMatch(node -> node.getDatanodeUuid().equals(spare)));
    bed.run(repair("chain", 0, 1, 2, 3), length, this::block, rebuild(0));
    assertRebuilt("/wrong0", 0);
  }

  @Test
  void corruptionOnTheWayToTheDiskIsNoticed() throws Exception {
    stripeWithParity("disk");
    bed.lose(2, blocks[2]);
    alter(FaultStep.WORKER_STORE, 100_000);
    var results =
        bed.start(repair("ppr", 2, 0, 1, 4), bed.newRun(), length, this::block, rebuild(2));
    assertTrue(results.failure(SPARE).contains("not published"));
    assertNoTrace(2);
  }

  @Test
  void corruptionInFlightIsNoticed() throws Exception {
    stripeWithParity("flight");
    bed.lose(2, blocks[2]);
    alter(FaultStep.WORKER_SEND, 100_000);
    var results =
        bed.start(repair("star", 2, 0, 1, 4), bed.newRun(), length, this::block, rebuild(2));
    String message = results.failure(SPARE);
    assertTrue(message.matches("(?s).*slice at offset \\d+ of stream \\d+ of .*"), message);
    assertTrue(message.contains(" bytes from rack"), message);
    assertTrue(message.contains("CRC mismatch"), message);
    assertNoTrace(2);
  }

  /** Flips a bit once, after so many bytes went by. */
  private static void alter(FaultStep where, int after) {
    AtomicInteger seen = new AtomicInteger();
    Faults.install(
        new Faults.Hook() {
          @Override
          public void reached(FaultStep step, String detail) {}

          @Override
          public void alter(FaultStep step, String detail, ByteBuffer bytes) {
            if (step == where) {
              int before = seen.getAndAdd(bytes.remaining());
              if (before <= after && after < before + bytes.remaining()) {
                bytes.put(0, (byte) (bytes.get(0) ^ 1));
              }
            }
          }
        });
  }

  @Test
  void aCrashBeforePublishingLeavesNothing() throws Exception {
    stripeWithParity("crash");
    bed.lose(0, blocks[0]);
    Faults.install(
        (step, detail) -> {
          if (step == FaultStep.WORKER_FINISH) {
            throw new IOException("stopped at " + detail);
          }
        });
    var results =
        bed.start(repair("chain", 0, 1, 2, 3), bed.newRun(), length, this::block, rebuild(0));
    String detail =
        "stopped at rebuilt block blk_%d_%d on %s"
            .formatted(
                blocks[0].getId(), blocks[0].getGeneration(), bed.node(SPARE).getDisplayName());
    assertTrue(results.failure(SPARE).contains(detail));
    assertNoTrace(0);
  }

  @Test
  void refusesToReplaceAReplica() throws Exception {
    stripeWithParity("twin");
    bed.lose(0, blocks[0]);
    bed.run(repair("chain", 0, 1, 2, 3), length, this::block, rebuild(0));
    var results =
        bed.start(repair("chain", 0, 1, 2, 3), bed.newRun(), length, this::block, rebuild(0));
    String message = results.failure(SPARE);
    assertTrue(message.contains(bed.node(SPARE).getDisplayName() + " has a replica of"), message);
    assertTrue(message.contains("already: rebuild it on another node"), message);
    assertRebuilt("/twin0", 0);
  }

  @Test
  void encodesOntoExactNodes() throws Exception {
    stripe("encode");
    String id = "%032x".formatted(random.nextLong() & Long.MAX_VALUE);
    Plan plan = EncodePlanner.gather(CODE, new int[] {0, 1, 2}, 2, new int[] {3, 4});
    Function<SubBlock, StoreTarget> stores =
        target ->
            StoreTarget.parity(
                BraidPaths.stagingPath(id, target.block() - 3, bed.cluster.uuid(target.block())));
    bed.run(plan, length, this::block, stores);
    for (int j = 3; j < 5; j++) {
      String path = BraidPaths.stagingPath(id, j - 3, bed.cluster.uuid(j));
      assertArrayEquals(contents[j], bed.read(path));
      var located = bed.located(path);
      assertEquals(1, located.getLocations().length);
      assertEquals(bed.cluster.uuid(j), located.getLocations()[0].getDatanodeUuid());
      assertTrue(bed.node(j).getFSDataset().getPinning(located.getBlock()));
    }
    // Once more: what an earlier attempt left is replaced.
    bed.run(plan, length, this::block, stores);
    assertArrayEquals(contents[3], bed.read(BraidPaths.stagingPath(id, 0, bed.cluster.uuid(3))));
  }

  @Test
  void parityIsOnlyWrittenWhereItsPathSays() throws Exception {
    stripe("path");
    Plan plan = EncodePlanner.gather(CODE, new int[] {0, 1, 2}, 2, new int[] {3, 4});
    String id = "%032x".formatted(1);
    var results =
        bed.start(
            plan,
            bed.newRun(),
            length,
            this::block,
            target ->
                StoreTarget.parity(
                    target.block() == 3
                        ? "/user/data"
                        : BraidPaths.stagingPath(id, 1, bed.cluster.uuid(0))));
    String message = results.failure(3);
    assertTrue(message.contains("/user/data is no staging path of DataNode"), message);
    assertTrue(results.failure(4).contains("is no staging path of DataNode"));
    assertTrue(results.failure(2).contains("stream"));
  }

  @Test
  void anAbandonedParityFileIsDeleted() throws Exception {
    stripe("abandon");
    String id = "%032x".formatted(2);
    Plan plan = EncodePlanner.gather(CODE, new int[] {0, 1, 2}, 2, new int[] {3, 4});
    Faults.install(
        (step, detail) -> {
          if (step == FaultStep.WORKER_FINISH && detail.contains(BraidPaths.STAGING)) {
            throw new IOException("stopped");
          }
        });
    var results =
        bed.start(
            plan,
            bed.newRun(),
            length,
            this::block,
            target ->
                StoreTarget.parity(
                    BraidPaths.stagingPath(
                        id, target.block() - 3, bed.cluster.uuid(target.block()))));
    for (int j = 3; j < 5; j++) {
      assertTrue(results.failure(j).contains("stopped"));
    }
    results.response(2);
    var staging = new org.apache.hadoop.fs.Path(BraidPaths.stagingDirectory(id));
    assertEquals(0, bed.fs.listStatus(staging).length);
  }

  /** What is on the disk after a rebuild is what an ordinary replica looks like there. */
  @Test
  void aRebuiltReplicaHasTheFilesOfAnOrdinaryOne() throws Exception {
    stripeWithParity("files");
    byte[] meta = Files.readAllBytes(meta(0));
    bed.lose(0, blocks[0]);
    bed.run(repair("star", 0, 1, 2, 3), length, this::block, rebuild(0));
    assertArrayEquals(contents[0], Files.readAllBytes(bed.file(SPARE, blocks[0])));
    assertArrayEquals(meta, Files.readAllBytes(meta(SPARE)));
  }

  private Path meta(int node) throws IOException {
    return bed.filesOf(node, blocks[0]).stream()
        .filter(file -> file.toString().endsWith(".meta"))
        .findFirst()
        .orElseThrow();
  }
}
