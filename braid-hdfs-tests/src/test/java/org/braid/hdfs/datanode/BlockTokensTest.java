package org.braid.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.braid.code.SubBlock;
import org.braid.engine.SliceSource;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteResponseProto;
import org.braid.hdfs.proto.BraidProtos.VerifyRequestProto;
import org.braid.hdfs.rpc.BlockTokens;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.rpc.BraidWorkerPB;
import org.braid.hdfs.rpc.FragmentCodec;
import org.braid.hdfs.rpc.ReadSource;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.rpc.StoreTarget;
import org.braid.hdfs.rpc.StreamClient;
import org.braid.hdfs.rpc.StreamSecurity;
import org.braid.hdfs.stripe.StripeCodec;
import org.braid.plan.Plan;
import org.braid.plan.shape.RelocationPlanner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workers of a cluster with block tokens and encrypted data transfer. */
final class BlockTokensTest {
  private static final int CLIENT = 9;

  @TempDir static Path directory;
  static WorkerFixture fixture;
  private final byte[] content = WorkerFixture.bytes(new Random(3), 150_000);

  @BeforeAll
  static void start() throws IOException {
    fixture =
        WorkerFixture.start(
            directory,
            3,
            Map.of(
                "dfs.block.access.token.enable",
                "true",
                "dfs.encrypt.data.transfer",
                "true",
                // HDFS would delete one of two copies of a block, whichever it likes.
                DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY,
                "1d"));
  }

  @AfterAll
  static void stop() throws IOException {
    fixture.close();
  }

  @Test
  void workersRebuildAndEncodeForASuperuser() throws Exception {
    BlockProto block = fixture.write("/moved", 0, content);
    Plan plan = RelocationPlanner.move(0, 1, 0, 1);
    var target =
        StoreTarget.rebuild(StripeCodec.of(block), WorkerFixture.crc(content), "CRC32C", 512);
    fixture.run(plan, content.length, i -> block, sub -> target);
    assertEquals(WorkerFixture.crc(content), fixture.verify(1, block));
    String path = BraidPaths.stagingPath("%032x".formatted(5), 0, fixture.cluster.uuid(2));
    fixture.run(
        RelocationPlanner.move(0, 1, 0, 2),
        content.length,
        i -> block,
        sub -> StoreTarget.parity(path));
    assertArrayEquals(content, fixture.read(path));
  }

  /** Node 0 reads its block and sends it to a client. */
  private ExecuteRequestProto request(BlockProto block, String run, ByteString token) {
    Plan plan = RelocationPlanner.move(0, 1, 0, CLIENT);
    return FragmentCodec.requestFor(
            plan.fragment(0),
            run,
            content.length,
            WorkerFixture.SLICE,
            source -> new ReadSource(StripeCodec.of(block), 0, token),
            sub -> StoreTarget.parity("none"),
            fixture::peer)
        .build();
  }

  private static ExecuteResponseProto asEve(ExecuteRequestProto request) throws Exception {
    return doAsEve(worker -> Rpc.call(() -> worker.execute(null, request)));
  }

  private interface Action<T> {
    T run(BraidWorkerPB worker) throws IOException;
  }

  private static <T> T doAsEve(Action<T> action) throws Exception {
    return UserGroupInformation.createUserForTesting("eve", new String[] {"users"})
        .doAs(
            (PrivilegedExceptionAction<T>)
                () -> {
                  BraidWorkerPB worker = fixture.connect(0);
                  try {
                    return action.run(worker);
                  } finally {
                    Rpc.stop(worker);
                  }
                });
  }

  private static void assertDenied(String message, org.junit.jupiter.api.function.Executable call) {
    AccessControlException e = assertThrows(AccessControlException.class, call);
    assertTrue(String.valueOf(e.getMessage()).contains(message), e.getMessage());
  }

  @Test
  void othersReadWithTokensOnly() throws Exception {
    BlockProto block = fixture.write("/eve", 0, content);
    BlockProto foreign = fixture.write("/foreign", 0, content);
    var token = fixture.located("/eve").getBlockToken();
    ByteString bytes = BlockTokens.encode(token);
    assertEquals(token, BlockTokens.decode(bytes));
    String run = fixture.newRun();
    assertDenied(
        "eve may not read blk_" + block.getId(),
        () -> asEve(request(block, run, ByteString.EMPTY)));
    assertDenied(
        "eve may not read blk_" + foreign.getId(), () -> asEve(request(foreign, run, bytes)));
    ExecuteRequestProto good = request(block, run, bytes);
    int stream = good.getOps(good.getOpsCount() - 1).getSend().getStream();
    Thread sender =
        new Thread(
            () -> {
              try {
                asEve(good);
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
    sender.start();
    ByteBuffer read = ByteBuffer.allocate(content.length);
    try (SliceSource source =
        StreamClient.open(
            fixture.configuration(),
            "127.0.0.1",
            fixture.ping(0).getStreamPort(),
            run,
            stream,
            content.length,
            StreamSecurity.client(fixture.fs.getClient(), token, fixture.node(0).getXferPort()))) {
      source.read(0, read);
      source.finish(WorkerFixture.crc(content));
    }
    assertArrayEquals(content, read.array());
    sender.join();
  }

  @Test
  void othersNeverStoreNorVerify() throws Exception {
    BlockProto block = fixture.write("/mine", 0, content);
    Plan.Builder plan = Plan.builder("local");
    plan.store(plan.read(0, new SubBlock(0, 0)), new SubBlock(1, 0));
    ByteString token = BlockTokens.encode(fixture.located("/mine").getBlockToken());
    ExecuteRequestProto store =
        FragmentCodec.requestFor(
                plan.build().fragment(0),
                fixture.newRun(),
                content.length,
                WorkerFixture.SLICE,
                source -> new ReadSource(StripeCodec.of(block), 0, token),
                sub -> StoreTarget.parity("/stolen"),
                fixture::peer)
            .build();
    assertDenied("eve is no superuser: may not store blocks", () -> asEve(store));
    assertDenied(
        "eve is no superuser: may not verify replicas",
        () ->
            doAsEve(
                worker ->
                    Rpc.call(
                        () ->
                            worker.verify(
                                null, VerifyRequestProto.newBuilder().setBlock(block).build()))));
    Plan relay = RelocationPlanner.move(0, 1, 1, 0);
    ExecuteRequestProto nothing =
        FragmentCodec.requestFor(
                relay.fragment(0),
                fixture.newRun(),
                10,
                10,
                source -> new ReadSource(StripeCodec.of(block), 0),
                sub -> StoreTarget.parity("x"),
                fixture::peer)
            .build();
    assertDenied("may not store", () -> asEve(nothing));
    assertDenied(
        "may not run a fragment that reads nothing",
        () -> asEve(nothing.toBuilder().removeOps(nothing.getOpsCount() - 1).build()));
    assertFalse(fixture.fs.exists(new org.apache.hadoop.fs.Path("/stolen")));
  }
}
