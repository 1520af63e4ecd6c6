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
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.BytesProto;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.rpc.FragmentCodec;
import org.braid.hdfs.rpc.StoreTarget;
import org.braid.hdfs.rpc.StreamException;
import org.braid.hdfs.stripe.StripeCodec;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.kernel.Kernels;
import org.braid.plan.Plan;
import org.braid.plan.shape.EncodePlanner;
import org.braid.plan.shape.RepairPlanner;
import org.braid.plan.shape.RepairPlanners;
import org.braid.testing.Await;
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
  static WorkerFixture fixture;
  private static final ErasureCode CODE = Codes.named("rs-3-2");
  private final Random random = Seeds.random(RebuildTest.class);

  private final BlockProto[] blocks = new BlockProto[5];
  private final byte[][] contents = new byte[5][];
  private int length;

  @BeforeAll
  static void start() throws IOException {
    fixture = WorkerFixture.start(directory, NODES, Map.of());
  }

  @AfterAll
  static void stop() throws IOException {
    fixture.close();
  }

  @AfterEach
  void clear() {
    InjectedFaults.clear();
  }

  /** Block i of the stripe goes to node i; the second data block is shorter than the others. */
  private void stripe(String name) throws IOException {
    length = 200_000 + random.nextInt(5000);
    ByteBuffer[] inputs = new ByteBuffer[3];
    for (int i = 0; i < 3; i++) {
      byte[] content = WorkerFixture.bytes(random, i == 1 ? length - 70_000 : length);
      contents[i] = content;
      blocks[i] = fixture.write("/" + name + i, i, content);
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
      blocks[j] = fixture.write("/" + name + j, j, contents[j]);
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
    return rebuild(lost, WorkerFixture.crc(contents[lost]));
  }

  private Function<SubBlock, StoreTarget> rebuild(int lost, int crc) {
    return target -> StoreTarget.rebuild(StripeCodec.of(blocks[lost]), crc, "CRC32C", 512);
  }

  private void assertRebuilt(String path, int lost) throws Exception {
    String spare = fixture.cluster.uuid(SPARE);
    Await.until(
        "the NameNode to list the spare",
        () ->
            Arrays.stream(fixture.located(path).getLocations())
                .anyMatch(node -> node.getDatanodeUuid().equals(spare)));
    assertArrayEquals(contents[lost], fixture.read(path));
    assertEquals(WorkerFixture.crc(contents[lost]), fixture.verify(SPARE, blocks[lost]));
    assertTrue(
        fixture
            .node(SPARE)
            .getFSDataset()
            .getPinning(fixture.replicas(SPARE).block(StripeCodec.of(blocks[lost]))));
  }

  private void assertNoTrace(int lost) throws Exception {
    assertEquals(List.of(), fixture.filesOf(SPARE, blocks[lost]));
    assertEquals(0, fixture.ping(SPARE).getMemoryUsed());
  }

  @Test
  void rebuildsByEveryShape() throws Exception {
    for (RepairPlanner planner : RepairPlanners.all()) {
      for (int lost : new int[] {0, 1, 4}) {
        String name = "shape-" + planner.name() + lost + "-";
        stripeWithParity(name);
        fixture.lose(lost, blocks[lost]);
        int[] helpers = lost == 4 ? new int[] {0, 1, 2} : new int[] {2, 3, 4};
        helpers[0] = lost == 0 ? 1 : helpers[0];
        Plan plan = repair(planner.name(), lost, helpers);
        var responses = fixture.run(plan, length, this::block, rebuild(lost));
        assertRebuilt("/" + name + lost, lost);
        int whole = WorkerFixture.crc(Arrays.copyOf(contents[lost], length));
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
              Map.of(new SubBlock(helper, 0), WorkerFixture.crc(read)),
              FragmentCodec.crcs(responses.response(helper).getReadsList()));
        }
      }
    }
  }

  /** Values as short as the lost block do as well. */
  @Test
  void rebuildsAShortBlockFromShortReads() throws Exception {
    stripeWithParity("short");
    fixture.lose(1, blocks[1]);
    fixture.run(repair("chain", 1, 0, 3, 4), contents[1].length, this::block, rebuild(1));
    assertRebuilt("/short1", 1);
    blocks[1] = blocks[1].toBuilder().setId(77).build();
    var results =
        fixture.start(repair("star", 1, 0, 3, 4), fixture.newRun(), 1000, this::block, rebuild(1));
    assertTrue(
        results
            .failure(SPARE)
            .contains("of " + contents[1].length + " bytes cannot be stored from a value of"));
  }

  @Test
  void aWrongCrcIsNotPublished() throws Exception {
    stripeWithParity("wrong");
    fixture.lose(0, blocks[0]);
    int good = WorkerFixture.crc(contents[0]);
    var results =
        fixture.start(
            repair("chain", 0, 1, 2, 3),
            fixture.newRun(),
            length,
            this::block,
            rebuild(0, good ^ 1));
    assertTrue(
        results
            .failure(SPARE)
            .contains(
                "rebuilt block blk_%d_%d: CRC-32C is %08x, recorded is %08x: not published"
                    .formatted(blocks[0].getId(), blocks[0].getGeneration(), good, good ^ 1)));
    assertNoTrace(0);
    String spare = fixture.cluster.uuid(SPARE);
    assertTrue(
        Arrays.stream(fixture.located("/wrong0").getLocations())
            .noneMatch(node -> node.getDatanodeUuid().equals(spare)));
    fixture.run(repair("chain", 0, 1, 2, 3), length, this::block, rebuild(0));
    assertRebuilt("/wrong0", 0);
  }

  @Test
  void corruptionOnTheWayToTheDiskIsNoticed() throws Exception {
    stripeWithParity("disk");
    fixture.lose(2, blocks[2]);
    alter(FaultStep.WORKER_STORE, 100_000);
    var results =
        fixture.start(repair("ppr", 2, 0, 1, 4), fixture.newRun(), length, this::block, rebuild(2));
    assertTrue(results.failure(SPARE).contains("not published"));
    assertNoTrace(2);
  }

  @Test
  void corruptionInFlightIsNoticed() throws Exception {
    stripeWithParity("flight");
    fixture.lose(2, blocks[2]);
    alter(FaultStep.WORKER_SEND, 100_000);
    var results =
        fixture.start(
            repair("star", 2, 0, 1, 4), fixture.newRun(), length, this::block, rebuild(2));
    String message = results.failure(SPARE);
    assertTrue(message.matches("(?s).*slice at offset \\d+ of stream \\d+ of .*"), message);
    assertTrue(message.contains(" bytes from rack"), message);
    assertTrue(message.contains("CRC mismatch"), message);
    assertNoTrace(2);
  }

  /** So that who plans anew leaves the right node out. */
  @Test
  void aReceiverSaysThatItsStreamFailedAndTheSenderWhatDid() throws Exception {
    stripeWithParity("blame");
    fixture.lose(2, blocks[2]);
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.WORKER_SEND) {
            throw new IOException("no more");
          }
        });
    var results =
        fixture.start(
            repair("star", 2, 0, 1, 4), fixture.newRun(), length, this::block, rebuild(2));
    assertEquals(StreamException.class, results.cause(SPARE).getClass());
    for (int sender : new int[] {0, 1, 4}) {
      assertEquals(IOException.class, results.cause(sender).getClass());
    }
    assertNoTrace(2);
  }

  /** Flips a bit once, after so many bytes went by. */
  private static void alter(FaultStep where, int after) {
    AtomicInteger seen = new AtomicInteger();
    InjectedFaults.change(
        where,
        bytes -> {
          int before = seen.getAndAdd(bytes.remaining());
          if (before <= after && after < before + bytes.remaining()) {
            bytes.put(0, (byte) (bytes.get(0) ^ 1));
          }
        });
  }

  @Test
  void aCrashBeforePublishingLeavesNothing() throws Exception {
    stripeWithParity("crash");
    fixture.lose(0, blocks[0]);
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.WORKER_FINISH) {
            throw new IOException("stopped at " + detail);
          }
        });
    var results =
        fixture.start(
            repair("chain", 0, 1, 2, 3), fixture.newRun(), length, this::block, rebuild(0));
    String detail =
        "stopped at rebuilt block blk_%d_%d on %s"
            .formatted(
                blocks[0].getId(), blocks[0].getGeneration(), fixture.node(SPARE).getDisplayName());
    assertTrue(results.failure(SPARE).contains(detail));
    assertNoTrace(0);
  }

  @Test
  void refusesToReplaceAReplica() throws Exception {
    stripeWithParity("twin");
    fixture.lose(0, blocks[0]);
    fixture.run(repair("chain", 0, 1, 2, 3), length, this::block, rebuild(0));
    var results =
        fixture.start(
            repair("chain", 0, 1, 2, 3), fixture.newRun(), length, this::block, rebuild(0));
    String message = results.failure(SPARE);
    assertTrue(
        message.contains(fixture.node(SPARE).getDisplayName() + " has a replica of"), message);
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
                BraidPaths.stagingPath(
                    id, target.block() - 3, fixture.cluster.uuid(target.block())));
    fixture.run(plan, length, this::block, stores);
    for (int j = 3; j < 5; j++) {
      String path = BraidPaths.stagingPath(id, j - 3, fixture.cluster.uuid(j));
      assertArrayEquals(contents[j], fixture.read(path));
      var located = fixture.located(path);
      assertEquals(1, located.getLocations().length);
      assertEquals(fixture.cluster.uuid(j), located.getLocations()[0].getDatanodeUuid());
      assertTrue(fixture.node(j).getFSDataset().getPinning(located.getBlock()));
    }
    // Once more: what an earlier attempt left is replaced.
    fixture.run(plan, length, this::block, stores);
    assertArrayEquals(
        contents[3], fixture.read(BraidPaths.stagingPath(id, 0, fixture.cluster.uuid(3))));
  }

  @Test
  void parityIsOnlyWrittenWhereItsPathSays() throws Exception {
    stripe("path");
    Plan plan = EncodePlanner.gather(CODE, new int[] {0, 1, 2}, 2, new int[] {3, 4});
    String id = "%032x".formatted(1);
    var results =
        fixture.start(
            plan,
            fixture.newRun(),
            length,
            this::block,
            target ->
                StoreTarget.parity(
                    target.block() == 3
                        ? "/user/data"
                        : BraidPaths.stagingPath(id, 1, fixture.cluster.uuid(0))));
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
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.WORKER_FINISH && detail.contains(BraidPaths.STAGING)) {
            throw new IOException("stopped");
          }
        });
    var results =
        fixture.start(
            plan,
            fixture.newRun(),
            length,
            this::block,
            target ->
                StoreTarget.parity(
                    BraidPaths.stagingPath(
                        id, target.block() - 3, fixture.cluster.uuid(target.block()))));
    for (int j = 3; j < 5; j++) {
      assertTrue(results.failure(j).contains("stopped"));
    }
    results.response(2);
    var staging = new org.apache.hadoop.fs.Path(BraidPaths.stagingDirectory(id));
    assertEquals(0, fixture.fs.listStatus(staging).length);
  }

  /** What is on the disk after a rebuild is what an ordinary replica looks like there. */
  @Test
  void aRebuiltReplicaHasTheFilesOfAnOrdinaryOne() throws Exception {
    stripeWithParity("files");
    byte[] meta = Files.readAllBytes(meta(0));
    fixture.lose(0, blocks[0]);
    fixture.run(repair("star", 0, 1, 2, 3), length, this::block, rebuild(0));
    assertArrayEquals(contents[0], Files.readAllBytes(fixture.file(SPARE, blocks[0])));
    assertArrayEquals(meta, Files.readAllBytes(meta(SPARE)));
  }

  private Path meta(int node) throws IOException {
    return fixture.filesOf(node, blocks[0]).stream()
        .filter(file -> file.toString().endsWith(".meta"))
        .findFirst()
        .orElseThrow();
  }
}
