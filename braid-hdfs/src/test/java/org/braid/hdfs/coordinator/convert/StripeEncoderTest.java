package org.braid.hdfs.coordinator.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.code.Codes;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.coordinator.convert.Grouper.DataBlock;
import org.braid.hdfs.coordinator.convert.Grouper.Group;
import org.braid.hdfs.coordinator.session.Claims;
import org.braid.hdfs.coordinator.session.FakeCluster;
import org.braid.hdfs.coordinator.session.Session;
import org.braid.hdfs.coordinator.session.StripeMap;
import org.braid.hdfs.coordinator.session.TrafficMeter;
import org.braid.hdfs.coordinator.throttle.Background;
import org.braid.hdfs.coordinator.throttle.GaveWayException;
import org.braid.hdfs.coordinator.throttle.Throttles;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.proto.BraidProtos.CancelResponseProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.PingResponseProto;
import org.braid.hdfs.proto.BraidProtos.VerifyRequestProto;
import org.braid.hdfs.proto.BraidProtos.VerifyResponseProto;
import org.braid.hdfs.rpc.BraidWorkerPB;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.FakeFile;
import org.braid.hdfs.stripe.Replica;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.time.FakeTicker;
import org.braid.placement.rule.StripeRule;
import org.braid.placement.rule.StripeRules;
import org.braid.plan.cost.Network;
import org.braid.plan.throttle.Throttle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When a stripe is tried again whose workers fail. */
final class StripeEncoderTest {
  private final FakeCluster cluster = new FakeCluster(5, 3);
  private final FakeTicker ticker = new FakeTicker();

  /** When each attempt reached a worker first. */
  private final List<Long> attempts = new ArrayList<>();

  private final Set<String> runs = new HashSet<>();

  /** Replicas that were read, and those of them at no pace. */
  private final AtomicInteger read = new AtomicInteger();

  private final AtomicInteger free = new AtomicInteger();

  /** HDFS that takes every directory and deletes everything. */
  private static final class Directories extends DistributedFileSystem {
    @Override
    public boolean mkdirs(Path path, FsPermission rights) {
      return true;
    }

    @Override
    public boolean delete(Path path, boolean recursive) {
      return true;
    }
  }

  /** A worker that stops just now. */
  private BraidWorkerPB stopping(Datanode node) {
    return (BraidWorkerPB)
        Proxy.newProxyInstance(
            StripeEncoderTest.class.getClassLoader(),
            new Class<?>[] {BraidWorkerPB.class, Closeable.class},
            (proxy, method, arguments) -> answer(node, method.getName(), arguments));
  }

  private @Nullable Object answer(Datanode node, String method, Object[] arguments)
      throws ServiceException {
    return switch (method) {
      case "ping" ->
          PingResponseProto.newBuilder()
              .setUuid(node.uuid())
              .setStreamPort(1)
              .setKernel("scalar")
              .setRunning(0)
              .setMemoryLimit(1)
              .setMemoryUsed(1)
              .build();
      case "execute" -> {
        begun(((ExecuteRequestProto) arguments[1]).getRun());
        throw new ServiceException(new IOException("DataNode is stopping"));
      }
      case "verify" -> {
        VerifyRequestProto request = (VerifyRequestProto) arguments[1];
        read.incrementAndGet();
        free.addAndGet(request.getRun().isEmpty() ? 1 : 0);
        yield VerifyResponseProto.newBuilder().setCrc32C(7).build();
      }
      case "cancel" -> CancelResponseProto.getDefaultInstance();
      default -> null;
    };
  }

  /** Other workers of an attempt may be reached when it has failed already. */
  private synchronized void begun(String run) {
    if (runs.add(run)) {
      attempts.add(ticker.millis());
    }
  }

  private static Group group() {
    List<BlockStatus> blocks = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      List<Replica> replicas = new ArrayList<>();
      for (int rack = 0; rack < 3; rack++) {
        replicas.add(new Replica("r%dn%d".formatted(rack, i), false, false, true, "DISK"));
      }
      blocks.add(new BlockStatus(new BlockIdentity(i + 1, 1, 10), replicas, 3, true, List.of()));
    }
    StoredFile file = FakeFile.at("/f", 7).length(30, 10).replication(3).blocks(blocks).build();
    List<DataBlock> data = new ArrayList<>();
    for (int i = 0; i < blocks.size(); i++) {
      data.add(new DataBlock(file, i, blocks.get(i)));
    }
    return new Group(data);
  }

  @SuppressWarnings("NullAway") // the NameNode is not asked before parity is there
  private void write(Background background) throws IOException {
    try (Workers workers = new Workers(this::stopping, 1000);
        Throttles throttles =
            new Throttles(() -> Throttle.NONE, (run, held) -> List.of(), 1e9, ticker)) {
      Session session =
          new Session(
              null,
              new Directories(),
              workers,
              "lease",
              cluster.recent(ticker),
              new Claims(Claims.Shared.alone(), ticker),
              1 << 20,
              512,
              Network.Rates.DEFAULT,
              throttles,
              background);
      StripeRule rule =
          StripeRules.on(Codes.named("rs-3-2"), OptionalInt.empty(), cluster.look().eligible());
      ConvertRequest request =
          new ConvertRequest(
              List.of("/f"),
              "rs-3-2",
              OptionalInt.empty(),
              ConvertRequest.Method.DEFAULT,
              1,
              512,
              1,
              Progress.SILENT);
      new StripeEncoder(
              session, rule, request, StripeMap.of(List.of()), new ReadLoads(), new TrafficMeter())
          .write(group(), new Turns().of(0), new SplittableRandom(1))
          .close();
    }
  }

  @Test
  void attemptsHavePausesThatGrowBetweenThem() {
    long since = ticker.millis();
    IOException e = assertThrows(IOException.class, () -> write(Background.CONVERSION));
    assertTrue(e.getMessage().contains("3 attempts failed"), e.toString());
    assertEquals(List.of(since, since + 1000, since + 3000), attempts);
  }

  /** All sources are read from their disks then, which have limits. */
  @Test
  void whatIsReadAgainAfterAFailureKeepsToTheThrottle() {
    assertThrows(IOException.class, () -> write(Background.CONVERSION));
    assertTrue(read.get() > 0, "nothing was read again");
    assertEquals(0, free.get());
  }

  @Test
  void aPauseEndsWhenTheConversionIsBrokenOff() {
    long since = ticker.millis();
    Background halted = Background.CONVERSION.until(() -> ticker.millis() > since + 1500);
    assertThrows(GaveWayException.class, () -> write(halted));
    assertEquals(List.of(since, since + 1000), attempts);
    assertTrue(ticker.millis() < since + 2000, "it ends soon");
  }
}
