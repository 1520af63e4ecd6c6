package org.braid.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.code.SubBlock;
import org.braid.hdfs.datanode.limits.FragmentPlaces;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.CancelRequestProto;
import org.braid.hdfs.proto.BraidProtos.ChecksumRequestProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.OpProto;
import org.braid.hdfs.proto.BraidProtos.PeerProto;
import org.braid.hdfs.proto.BraidProtos.PinRequestProto;
import org.braid.hdfs.proto.BraidProtos.PingRequestProto;
import org.braid.hdfs.proto.BraidProtos.ReceiveOpProto;
import org.braid.hdfs.proto.BraidProtos.StreamRequestProto;
import org.braid.hdfs.proto.BraidProtos.StreamStatusProto;
import org.braid.hdfs.proto.BraidProtos.SyncRequestProto;
import org.braid.hdfs.proto.BraidProtos.VerifyRequestProto;
import org.braid.hdfs.rpc.BlockTokens;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * Attacks on workers by eve, who may read one file, knows its block token, and is no superuser.
 * Each is refused as HDFS's own DataNode refuses who has no token, or harms nobody but eve.
 */
final class WorkerAttacksTest {
  private static final int CLIENT = 9;
  private static final int LENGTH = 150_000;
  private static final int FRAGMENTS = 4;

  /** Longer than the buffers of TCP, so that a fragment waits for who takes its stream. */
  private static final long LONG = 64L << 20;

  @TempDir static Path directory;
  private static WorkerFixture fixture;
  private static BlockProto own;
  private static BlockProto foreign;
  private static Token<BlockTokenIdentifier> token;
  private static BraidWorkerPB worker;
  private static UserGroupInformation eve;
  private static LogCapturer log;
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @BeforeAll
  static void start() throws Exception {
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
    eve = UserGroupInformation.createUserForTesting("eve", new String[] {"users"});
    worker = eve.doAs((PrivilegedExceptionAction<BraidWorkerPB>) () -> fixture.connect(0));
  }

  @AfterAll
  static void stop() throws Exception {
    log.stopCapturing();
    Rpc.stop(worker);
    fixture.close();
  }

  @AfterEach
  void settle() throws Exception {
    threads.shutdownNow();
    Await.until("the worker to be idle", () -> fixture.ping(0).getRunning() == 0);
    assertEquals(0, fixture.ping(0).getMemoryUsed());
  }

  /** Has the worker read a block and send it to whoever comes for it. */
  private static ExecuteRequestProto.Builder reading(BlockProto block, ByteString anyToken) {
    return FragmentCodec.requestFor(
        RelocationPlanner.move(0, 1, 0, CLIENT).fragment(0),
        fixture.newRun(),
        LENGTH,
        WorkerFixture.SLICE,
        source -> new ReadSource(StripeCodec.of(block), 0, anyToken),
        sub -> StoreTarget.parity("none"),
        fixture::peer);
  }

  private static ByteString bytes(Token<BlockTokenIdentifier> any) throws IOException {
    return BlockTokens.encode(any);
  }

  /** Has the worker read its own block and receive from another place, too. */
  private static ExecuteRequestProto receivingFrom(PeerProto peer) throws IOException {
    return reading(own, bytes(token))
        .addPeers(peer.toBuilder().setNode(7))
        .addOps(
            OpProto.newBuilder().setReceive(ReceiveOpProto.newBuilder().setValue(77).setFrom(7)))
        .build();
  }

  private static void assertDenied(String message, Rpc.Call<?> call) {
    log.clearOutput();
    AccessControlException e = assertThrows(AccessControlException.class, () -> Rpc.call(call));
    assertTrue(String.valueOf(e.getMessage()).contains(message), e.getMessage());
    assertLogged(message);
  }

  private static void assertLogged(String message) {
    String said = log.getOutput();
    String line = "(?s).*refused [a-z]+ to eve at 127\\.0\\.0\\.1: [^\n]*" + Pattern.quote(message);
    assertTrue(said.matches(line + ".*"), said);
  }

  private static void assertDenied(String message, ExecuteRequestProto request) {
    assertDenied(message, () -> worker.execute(null, request));
  }

  private static void assertBad(String message, UnaryOperator<ExecuteRequestProto.Builder> change)
      throws Exception {
    ExecuteRequestProto request = change.apply(reading(own, bytes(token))).build();
    IOException e =
        assertThrows(IOException.class, () -> Rpc.call(() -> worker.execute(null, request)));
    assertTrue(String.valueOf(e.getMessage()).contains(message), e.getMessage());
  }

  // ---- tokens --------------------------------------------------------------------------------

  @Test
  void aFragmentWithoutTokenReadsNothing() {
    assertDenied("eve may not read blk_", reading(own, ByteString.EMPTY).build());
  }

  @Test
  void aTokenOfOneBlockReadsNoOther() throws Exception {
    assertDenied("eve may not read blk_" + foreign.getId(), reading(foreign, bytes(token)).build());
  }

  @Test
  void aForgedTokenReadsNothing() throws Exception {
    BlockTokenIdentifier wanted = token.decodeIdentifier();
    BlockTokenIdentifier other =
        new BlockTokenIdentifier(
            wanted.getUserId(),
            wanted.getBlockPoolId(),
            foreign.getId(),
            EnumSet.of(AccessMode.READ),
            new StorageType[] {StorageType.DISK},
            new String[0],
            false);
    other.setKeyId(wanted.getKeyId());
    other.setExpiryDate(Long.MAX_VALUE);
    Token<BlockTokenIdentifier> forged =
        new Token<>(other.getBytes(), token.getPassword(), token.getKind(), new Text());
    assertDenied("eve may not read blk_", reading(foreign, bytes(forged)).build());
  }

  private static Token<BlockTokenIdentifier> token(AccessMode mode, long lifetimeMillis)
      throws IOException {
    BlockTokenSecretManager keys =
        fixture.node(0).getBlockPoolTokenSecretManager().get(fixture.replicas(0).blockPool());
    keys.setTokenLifetime(lifetimeMillis);
    try {
      return keys.generateToken(
          "eve",
          fixture.replicas(0).block(StripeCodec.of(own)),
          EnumSet.of(mode),
          new StorageType[] {StorageType.DISK},
          new String[0]);
    } finally {
      keys.setTokenLifetime(TimeUnit.HOURS.toMillis(10));
    }
  }

  @Test
  void anExpiredTokenReadsNothing() throws Exception {
    assertDenied("is expired", reading(own, bytes(token(AccessMode.READ, -60_000))).build());
  }

  @Test
  void aTokenToWriteReadsNothing() throws Exception {
    assertDenied(
        "eve may not read blk_",
        reading(own, bytes(token(AccessMode.WRITE, TimeUnit.HOURS.toMillis(1)))).build());
  }

  @Test
  void aTokenOfGarbageReadsNothing() {
    for (int length : new int[] {1, 7, 200, 100_000}) {
      ByteString garbage = ByteString.copyFrom(WorkerFixture.bytes(new Random(length), length));
      assertDenied("eve may not read blk_", reading(own, garbage).build());
    }
  }

  /** What looks like a token is decoded before its signature can be checked. */
  @Test
  void aTokenOfGarbledIdentityReadsNothing() throws Exception {
    byte[] identity = token.getIdentifier();
    List<byte[]> garbled = new ArrayList<>();
    for (int length = 0; length < identity.length; length++) {
      garbled.add(Arrays.copyOf(identity, length));
    }
    String text = new String(identity, StandardCharsets.ISO_8859_1);
    assertTrue(text.contains("READ"), text);
    garbled.add(text.replace("READ", "REED").getBytes(StandardCharsets.ISO_8859_1));
    // The length of the block pool's name, of 2 GiB: HDFS would make room for it.
    int pool = text.indexOf("BP-") - Integer.BYTES;
    byte[] huge = identity.clone();
    ByteBuffer.wrap(huge).putInt(pool, Integer.MAX_VALUE);
    garbled.add(huge);
    for (byte[] each : garbled) {
      Token<BlockTokenIdentifier> bad =
          new Token<>(each, token.getPassword(), token.getKind(), new Text());
      assertDenied("eve may not read blk_", reading(own, bytes(bad)).build());
    }
  }

  // ---- what only a superuser may -------------------------------------------------------------

  private static ExecuteRequestProto storing(StoreTarget target) throws IOException {
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

  @Test
  void noParityIsWritten() throws Exception {
    assertDenied("eve is no superuser: may not store blocks", storing(StoreTarget.parity("/bad")));
  }

  @Test
  void noReplicaIsReplaced() throws Exception {
    assertDenied(
        "eve is no superuser: may not store blocks",
        storing(StoreTarget.rebuild(StripeCodec.of(foreign), 4711, "CRC32C", 512)));
  }

  @Test
  void noReplicaIsVerified() {
    assertDenied(
        "may not verify",
        () -> worker.verify(null, VerifyRequestProto.newBuilder().setBlock(own).build()));
  }

  @Test
  void noReplicaIsForcedToDisk() {
    assertDenied(
        "may not force",
        () -> worker.sync(null, SyncRequestProto.newBuilder().addBlocks(own).build()));
    assertDenied(
        "may not verify",
        () ->
            worker.verify(
                null, VerifyRequestProto.newBuilder().setBlock(own).setForced(true).build()));
  }

  @Test
  void noReplicaIsPinned() {
    assertDenied(
        "may not pin",
        () ->
            worker.pin(null, PinRequestProto.newBuilder().addBlocks(own).setPinned(true).build()));
  }

  @Test
  void noChecksumIsToldThatGivesContentAway() {
    assertDenied(
        "may not verify",
        () -> worker.checksum(null, ChecksumRequestProto.newBuilder().setBlock(own).build()));
  }

  @Test
  void nobodyLearnsWhatOthersRead() throws Exception {
    copyAsSuperuser();
    PingRequestProto curious = PingRequestProto.newBuilder().setWithCache(true).build();
    assertEquals(0, Rpc.call(() -> worker.ping(null, curious)).getCachedCount());
    BraidWorkerPB trusted = fixture.worker(0);
    assertTrue(Rpc.call(() -> trusted.ping(null, curious)).getCachedList().contains(own.getId()));
  }

  @Test
  void aFragmentThatOnlyPassesOnIsRefused() throws Exception {
    ExecuteRequestProto passing =
        reading(own, bytes(token)).removeOps(0).addPeers(fixture.peer(1)).build();
    assertDenied("may not run a fragment that reads nothing", passing);
  }

  // ---- foreign destinations ------------------------------------------------------------------

  @Test
  void aWorkerConnectsToNoForeignHost() throws Exception {
    try (ServerSocket inside = new ServerSocket(0)) {
      PeerProto peer =
          fixture.peer(1).toBuilder().setHost("127.0.0.1").setPort(inside.getLocalPort()).build();
      assertDenied("may not have a worker connect to 127.0.0.1:", receivingFrom(peer));
      assertDenied(
          "may not have a worker connect to localhost:",
          receivingFrom(peer.toBuilder().setHost("localhost").build()));
      assertDenied(
          "may not have a worker connect to 127.0.0.1:",
          receivingFrom(peer.toBuilder().clearUuid().build()));
      assertDenied(
          "may not have a worker connect to 127.0.0.1:",
          receivingFrom(peer.toBuilder().setUuid("nobody").build()));
      inside.setSoTimeout(200);
      assertThrows(SocketTimeoutException.class, inside::accept);
    }
  }

  @Test
  void aWorkerConnectsToNoOtherPortOfADataNode() throws Exception {
    PeerProto peer = fixture.peer(1);
    for (int port :
        new int[] {
          fixture.node(1).getXferPort(),
          fixture.node(1).getIpcPort(),
          fixture.node(1).getInfoPort(),
          fixture.peer(2).getPort()
        }) {
      assertDenied(
          "may not have a worker connect to 127.0.0.1:" + port,
          receivingFrom(peer.toBuilder().setPort(port).build()));
    }
  }

  @Test
  void aWorkerAsksNobodyAboutAThousandPeers() throws Exception {
    ExecuteRequestProto.Builder request = reading(own, bytes(token));
    for (int i = 0; i < 1000; i++) {
      request.addPeers(fixture.peer(1).toBuilder().setNode(100 + i).setUuid("u" + i));
    }
    assertDenied("may not run a fragment of 1000 peers, at most 255", request.build());
  }

  // ---- more than one's share -----------------------------------------------------------------

  @Test
  void oneUserTakesNotAllPlacesForFragments() throws Exception {
    List<Future<?>> running = new ArrayList<>();
    for (int i = 0; i < FRAGMENTS; i++) {
      ExecuteRequestProto request = reading(own, bytes(token)).setLength(LONG).build();
      running.add(threads.submit(() -> Rpc.call(() -> worker.execute(null, request))));
    }
    Await.until("eve's fragments to run", () -> fixture.ping(0).getRunning() == FRAGMENTS);
    ExecuteRequestProto more = reading(own, bytes(token)).setLength(LONG).build();
    log.clearOutput();
    RetriableException busy =
        assertThrows(RetriableException.class, () -> Rpc.call(() -> worker.execute(null, more)));
    String why = "4 fragments of eve run already, at most 4 may";
    assertTrue(String.valueOf(busy.getMessage()).contains(why), busy.getMessage());
    assertLogged(why);
    copyAsSuperuser();
    for (Future<?> future : running) {
      assertThrows(ExecutionException.class, () -> future.get(20, TimeUnit.SECONDS));
    }
  }

  /** What a repair does, node 0 sends and node 1 receives. */
  private static void copyAsSuperuser() throws Exception {
    String path =
        org.braid.hdfs.rpc.BraidPaths.stagingPath(fixture.newRun(), 0, fixture.cluster.uuid(1));
    fixture.run(
        RelocationPlanner.move(0, 1, 0, 1), LENGTH, i -> own, sub -> StoreTarget.parity(path));
    fixture.fs.delete(new org.apache.hadoop.fs.Path(path), false);
  }

  private static Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), fixture.peer(0).getPort());
    socket.setSoTimeout(20_000);
    return socket;
  }

  @Test
  void silentConnectionsKeepNobodyAway() throws Exception {
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 1200; i++) {
        silent.add(connect());
      }
      long begun = System.nanoTime();
      copyAsSuperuser();
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
      assertTrue(seconds < 15, seconds + " s");
      assertEquals(-1, silent.get(0).getInputStream().read(), "the oldest is sent away");
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }

  @Test
  void aSilentConnectionIsSoonClosed() throws Exception {
    try (Socket silent = connect()) {
      assertEquals(-1, silent.getInputStream().read());
    }
  }

  // ---- streams -------------------------------------------------------------------------------

  @Test
  void aStreamThatIsAnnouncedAsHugeTakesNoMemory() throws Exception {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(new byte[] {-1, -1, -1, -1, 0x07});
      assertEquals(-1, socket.getInputStream().read());
    }
  }

  @Test
  void garbageOnAStreamEndsIt() throws Exception {
    for (int seed = 0; seed < 20; seed++) {
      try (Socket socket = connect()) {
        byte[] garbage = WorkerFixture.bytes(new Random(seed), 2000);
        garbage[0] = (byte) ((garbage[0] & 0x7f) | 1);
        try {
          socket.getOutputStream().write(garbage);
          socket.shutdownOutput();
          StreamStatusProto answer = StreamStatusProto.parseDelimitedFrom(socket.getInputStream());
          assertTrue(answer == null || answer.hasError(), "an answer to garbage");
        } catch (IOException e) {
          assertTrue(String.valueOf(e.getMessage()).matches(".*(reset|[Bb]roken).*"), e.toString());
        }
      }
    }
    copyAsSuperuser();
  }

  @Test
  void aStreamIsNotGivenToWhoGuessesItsRun() throws Exception {
    LogCapturer streams = LogCapturer.captureLogs(LoggerFactory.getLogger(StreamServer.class));
    try (Socket socket = connect()) {
      StreamRequestProto.newBuilder()
          .setRun("%032x".formatted(4711))
          .setStream(0)
          .build()
          .writeDelimitedTo(socket.getOutputStream());
      StreamStatusProto answer = StreamStatusProto.parseDelimitedFrom(socket.getInputStream());
      assertTrue(answer.getError().contains("it was not sent within"), answer.toString());
      String said = "refused a stream to /127.0.0.1:" + socket.getLocalPort() + ": it was not sent";
      assertTrue(streams.getOutput().contains(said), streams.getOutput());
    } finally {
      streams.stopCapturing();
    }
  }

  @Test
  void aRunOfOthersIsNotCancelledByWhoGuessesItsName() throws Exception {
    for (int i = 0; i < 2000; i++) {
      CancelRequestProto guess =
          CancelRequestProto.newBuilder().setRun("%032x".formatted(1_000_000 + i)).build();
      Rpc.call(() -> worker.cancel(null, guess));
    }
    copyAsSuperuser();
  }

  /** What was cancelled before its fragments came must not start when they come late. */
  @Test
  void namesOfCancelledRunsArePushedOutByNobodyElse() throws Exception {
    ExecuteRequestProto late = storing(StoreTarget.parity("/late"));
    BraidWorkerPB superusers = fixture.worker(0);
    Rpc.call(
        () ->
            superusers.cancel(null, CancelRequestProto.newBuilder().setRun(late.getRun()).build()));
    for (int i = 0; i < 2000; i++) {
      CancelRequestProto other =
          CancelRequestProto.newBuilder().setRun("%032x".formatted(2_000_000 + i)).build();
      Rpc.call(() -> worker.cancel(null, other));
    }
    IOException e =
        assertThrows(IOException.class, () -> Rpc.call(() -> superusers.execute(null, late)));
    assertEquals("run " + late.getRun() + " was cancelled", e.getMessage());
  }

  /** What names a run or a DataNode is remembered by workers, whoever says it. */
  @Test
  void longNamesTakeNoMemory() throws Exception {
    long before = usedMemory();
    for (int i = 0; i < 16; i++) {
      String name = i + "x".repeat(4 << 20);
      refusedOrNot(() -> worker.cancel(null, CancelRequestProto.newBuilder().setRun(name).build()));
      ExecuteRequestProto named = reading(own, bytes(token)).setRun(name).setSlice(0).build();
      refusedOrNot(() -> worker.execute(null, named));
      PeerProto peer = fixture.peer(1).toBuilder().setUuid(name).build();
      ExecuteRequestProto receiving = receivingFrom(peer);
      refusedOrNot(() -> worker.execute(null, receiving));
      log.clearOutput();
    }
    long kept = (usedMemory() - before) >> 20;
    assertTrue(kept < 32, kept + " MiB are kept of 192 MiB of names");
  }

  private static void refusedOrNot(Rpc.Call<?> call) {
    try {
      Rpc.call(call);
    } catch (IOException e) {
      assertTrue(String.valueOf(e.getMessage()).length() < 1000, "a long answer to a long name");
    }
  }

  private static long usedMemory() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      System.gc();
      Thread.sleep(100);
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  @Test
  void noLineOfTheLogIsForged() throws Exception {
    String run = "4711\n2026-11-26 12:00:00,000 INFO forged: by eve";
    refusedOrNot(() -> worker.cancel(null, CancelRequestProto.newBuilder().setRun(run).build()));
    LogCapturer streams = LogCapturer.captureLogs(LoggerFactory.getLogger(StreamServer.class));
    try (Socket socket = connect()) {
      StreamRequestProto.newBuilder()
          .setRun(run)
          .setStream(0)
          .build()
          .writeDelimitedTo(socket.getOutputStream());
      StreamStatusProto answer = StreamStatusProto.parseDelimitedFrom(socket.getInputStream());
      assertTrue(answer.hasError(), "a stream of a run that never was");
      assertFalse(streams.getOutput().contains("\n2026-11-26 12:00:00,000"), streams.getOutput());
    } finally {
      streams.stopCapturing();
    }
  }

  // ---- hostile messages ----------------------------------------------------------------------

  @Test
  void hostileNumbersAreRefused() throws Exception {
    assertBad("a slice has 1 to 16777216 bytes, not 0", r -> r.setSlice(0));
    assertBad("a slice has 1 to 16777216 bytes, not -1", r -> r.setSlice(-1));
    assertBad("a slice has 1 to 16777216", r -> r.setSlice(Integer.MAX_VALUE));
    assertBad("values cannot have", r -> r.setLength(Long.MIN_VALUE));
    assertBad("is of 0 known kinds", r -> r.addOps(OpProto.getDefaultInstance()));
    assertBad("may not run a fragment that reads nothing", ExecuteRequestProto.Builder::clearOps);
    assertBad("may not change the pace of runs", r -> r.setBytesPerSecond(1));
  }

  @Test
  void aReplayedFragmentIsRefusedWhileItRuns() throws Exception {
    ExecuteRequestProto request = reading(own, bytes(token)).setLength(LONG).build();
    Future<?> first = threads.submit(() -> Rpc.call(() -> worker.execute(null, request)));
    Await.until("eve's fragment to run", () -> fixture.ping(0).getRunning() == 1);
    ServiceException replayed =
        assertThrows(ServiceException.class, () -> worker.execute(null, request));
    assertTrue(String.valueOf(replayed.getMessage()).contains("is running already"));
    assertThrows(ExecutionException.class, () -> first.get(20, TimeUnit.SECONDS));
  }
}
