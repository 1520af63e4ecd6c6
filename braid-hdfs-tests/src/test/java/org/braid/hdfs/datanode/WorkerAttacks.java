package org.braid.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.braid.code.SubBlock;
import org.braid.hdfs.datanode.limits.FragmentPlaces;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.OpProto;
import org.braid.hdfs.proto.BraidProtos.PeerProto;
import org.braid.hdfs.proto.BraidProtos.ReceiveOpProto;
import org.braid.hdfs.rpc.BlockTokens;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.rpc.BraidWorkerPB;
import org.braid.hdfs.rpc.FragmentCodec;
import org.braid.hdfs.rpc.ReadSource;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.rpc.StoreTarget;
import org.braid.hdfs.rpc.StreamClient;
import org.braid.hdfs.stripe.StripeCodec;
import org.braid.plan.Plan;
import org.braid.plan.shape.RelocationPlanner;
import org.braid.testing.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * Workers that eve attacks, who may read one file, knows its block token, and is no superuser. Each
 * attack is refused as HDFS's own DataNode refuses who has no token, or harms nobody but eve.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class WorkerAttacks {
  static final int LENGTH = 150_000;

  /** The fragments of one user that a worker runs at once. */
  static final int FRAGMENTS = 4;

  private static final int CLIENT = 9;

  WorkerFixture fixture;

  /** A block that eve may read, and its token. */
  BlockProto own;

  Token<BlockTokenIdentifier> token;
  BlockProto foreign;

  /** Calls of the worker on the node that has both blocks, as eve. */
  BraidWorkerPB worker;

  /** What workers say of refusals. */
  LogCapturer log;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    log = LogCapturer.captureLogs(LoggerFactory.getLogger(WorkerService.class));
    fixture =
        WorkerFixture.start(
            directory,
            3,
            Map.of(
                "dfs.block.access.token.enable",
                "true",
                FragmentPlaces.USER_KEY,
                Integer.toString(FRAGMENTS),
                StreamClient.TIMEOUT_KEY,
                "3000"));
    byte[] content = WorkerFixture.bytes(new Random(3), LENGTH);
    own = fixture.write("/own", 0, content);
    foreign = fixture.write("/foreign", 0, content);
    token = fixture.located("/own").getBlockToken();
    UserGroupInformation eve =
        UserGroupInformation.createUserForTesting("eve", new String[] {"users"});
    worker = eve.doAs((PrivilegedExceptionAction<BraidWorkerPB>) () -> fixture.connect(0));
  }

  @AfterAll
  void stop() throws Exception {
    log.stopCapturing();
    Rpc.stop(worker);
    fixture.close();
  }

  @AfterEach
  void settle() throws Exception {
    Await.until("the worker to be idle", () -> fixture.ping(0).getRunning() == 0);
    assertEquals(0, fixture.ping(0).getMemoryUsed());
  }

  /** Has the worker read a block and send it to whoever comes for it. */
  final ExecuteRequestProto.Builder reading(BlockProto block, ByteString anyToken) {
    return FragmentCodec.requestFor(
        RelocationPlanner.move(0, 1, 0, CLIENT).fragment(0),
        fixture.newRun(),
        LENGTH,
        WorkerFixture.SLICE,
        source -> new ReadSource(StripeCodec.of(block), 0, anyToken),
        sub -> StoreTarget.parity("none"),
        fixture::peer);
  }

  static ByteString bytes(Token<BlockTokenIdentifier> any) throws IOException {
    return BlockTokens.encode(any);
  }

  /** Has the worker read its own block and receive from another place, too. */
  final ExecuteRequestProto receivingFrom(PeerProto peer) throws IOException {
    return reading(own, bytes(token))
        .addPeers(peer.toBuilder().setNode(7))
        .addOps(
            OpProto.newBuilder().setReceive(ReceiveOpProto.newBuilder().setValue(77).setFrom(7)))
        .build();
  }

  /** Has the worker read its own block and store it. */
  final ExecuteRequestProto storing(StoreTarget target) throws IOException {
    Plan.Builder plan = Plan.builder("local");
    plan.store(plan.read(0, new SubBlock(0, 0)), new SubBlock(1, 0));
    ByteString good = bytes(token);
    return FragmentCodec.requestFor(
            plan.build().fragment(0),
            fixture.newRun(),
            LENGTH,
            WorkerFixture.SLICE,
            source -> new ReadSource(StripeCodec.of(own), 0, good),
            sub -> target,
            fixture::peer)
        .build();
  }

  final void assertDenied(String message, Rpc.Call<?> call) {
    log.clearOutput();
    AccessControlException e = assertThrows(AccessControlException.class, () -> Rpc.call(call));
    assertTrue(String.valueOf(e.getMessage()).contains(message), e.getMessage());
    assertLogged(message);
  }

  final void assertDenied(String message, ExecuteRequestProto request) {
    assertDenied(message, () -> worker.execute(null, request));
  }

  final void assertLogged(String message) {
    String said = log.getOutput();
    String line = "(?s).*refused [a-z]+ to eve at 127\\.0\\.0\\.1: [^\n]*" + Pattern.quote(message);
    assertTrue(said.matches(line + ".*"), said);
  }

  /** What a repair does, node 0 sends and node 1 receives. */
  final void copyAsSuperuser() throws Exception {
    String path = BraidPaths.stagingPath(fixture.newRun(), 0, fixture.cluster.uuid(1));
    fixture.run(
        RelocationPlanner.move(0, 1, 0, 1), LENGTH, i -> own, sub -> StoreTarget.parity(path));
    fixture.fs.delete(new org.apache.hadoop.fs.Path(path), false);
  }
}
