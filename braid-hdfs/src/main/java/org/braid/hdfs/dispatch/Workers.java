package org.braid.hdfs.dispatch;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.hdfs.proto.BraidProtos.CancelRequestProto;
import org.braid.hdfs.proto.BraidProtos.ChecksumRequestProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteResponseProto;
import org.braid.hdfs.proto.BraidProtos.PaceRequestProto;
import org.braid.hdfs.proto.BraidProtos.PaceResponseProto;
import org.braid.hdfs.proto.BraidProtos.PinRequestProto;
import org.braid.hdfs.proto.BraidProtos.PingRequestProto;
import org.braid.hdfs.proto.BraidProtos.PingResponseProto;
import org.braid.hdfs.proto.BraidProtos.ScrubRequestProto;
import org.braid.hdfs.proto.BraidProtos.ScrubResponseProto;
import org.braid.hdfs.proto.BraidProtos.SyncRequestProto;
import org.braid.hdfs.proto.BraidProtos.SyncResponseProto;
import org.braid.hdfs.proto.BraidProtos.VerifyRequestProto;
import org.braid.hdfs.proto.BraidProtos.VerifyResponseProto;
import org.braid.hdfs.rpc.BraidWorkerPB;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.ReplicaChecksum;
import org.braid.hdfs.stripe.StripeCodec;
import org.braid.hdfs.time.AwakeTime;
import org.braid.thread.DaemonThreads;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers of a cluster's DataNodes: connections to them, whether they answered lately, and the
 * daemon threads that wait for them. Thread-safe.
 */
public final class Workers implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Workers.class);
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Most concurrent calls; each call takes three threads. */
  static final int AT_ONCE = 128;

  private static final int PATIENCE = 4;

  private final Stubs connections;
  private final long pingMillis;
  private final ConcurrentHashMap<String, BraidWorkerPB> stubs = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<PoolNode, Seen> seen = new ConcurrentHashMap<>();
  private final ExecutorService threads;

  /** Connects to workers. */
  public interface Stubs {
    /** A stub of a node's worker. */
    BraidWorkerPB open(Datanode node) throws IOException;
  }

  /** Whether to set or clear pins. */
  public enum Pin {
    /** Replicas are pinned. */
    SET,
    /** Replicas are free again. */
    CLEARED
  }

  /**
   * A replica that was read.
   *
   * @param crc the CRC-32C of the content
   * @param checksum what HDFS keeps beside it; null when the worker does not tell
   */
  public record Verified(int crc, @Nullable ReplicaChecksum checksum) {}

  /** A DataNode has a worker for each of its block pools. */
  private record PoolNode(String uuid, String blockPool) {
    static PoolNode of(Datanode node) {
      return new PoolNode(node.uuid(), node.blockPool());
    }
  }

  private record Seen(Worker worker, long since) {
    boolean fresh() {
      return System.nanoTime() - since < FRESH_NANOS;
    }
  }

  /**
   * The answers of several workers, by the UUIDs of their DataNodes.
   *
   * @param reached the workers that answered
   * @param unreached why the others did not
   * @param late those of the others that did not answer in time: they may be busy, while a worker
   *     that refuses the connection is down
   */
  public record Answers(
      Map<String, Worker> reached, Map<String, String> unreached, Set<String> late) {
    public Answers {
      reached = Map.copyOf(reached);
      unreached = Map.copyOf(unreached);
      late = Set.copyOf(late);
    }
  }

  /** The answers while they are gathered. */
  private record Gathered(
      Map<String, Worker> reached, Map<String, String> unreached, Set<String> late) {
    Gathered() {
      this(new ConcurrentHashMap<>(), new ConcurrentHashMap<>(), ConcurrentHashMap.newKeySet());
    }

    void late(Datanode node, String why) {
      late.add(node.uuid());
      unreached.put(node.uuid(), why);
    }
  }

  /**
   * Creates calls on workers as the current user.
   *
   * @param pingMillis a worker that is silent for so long is suspect
   */
  public Workers(Configuration conf, long pingMillis) throws IOException {
    this(stubs(conf, UserGroupInformation.getCurrentUser()), pingMillis);
  }

  /**
   * Creates calls on workers through given stubs.
   *
   * @param pingMillis a worker that is silent for so long is suspect
   */
  public Workers(Stubs connections, long pingMillis) {
    this.connections = connections;
    this.pingMillis = pingMillis;
    AtomicInteger number = new AtomicInteger();
    this.threads =
        Rpc.threads(task -> DaemonThreads.of("braid-call-" + number.incrementAndGet(), task));
  }

  private static Stubs stubs(Configuration conf, UserGroupInformation user) {
    Rpc.WorkerStubs workers = Rpc.workers(conf);
    return node ->
        UserCalls.runAs(user, () -> workers.at(node.ip(), node.ipcPort(), node.blockPool()));
  }

  /** Pings all workers, some hundred at a time; each has the full time for its answer. */
  public Answers ping(Collection<Datanode> nodes) throws IOException {
    return ping(nodes, PingRequestProto.getDefaultInstance(), pingMillis);
  }

  /** The same with a given request. */
  public Answers ping(Collection<Datanode> nodes, PingRequestProto request) throws IOException {
    return ping(nodes, request, pingMillis);
  }

  /** The same with several times the time for an answer, for nodes that were late. */
  public Answers pingPatiently(Collection<Datanode> nodes, PingRequestProto request)
      throws IOException {
    return ping(nodes, request, PATIENCE * pingMillis);
  }

  /** Asks workers for the nodes that their fragments of a run wait for. */
  public Answers ping(Collection<Datanode> nodes, String run, long millis) throws IOException {
    return ping(nodes, PingRequestProto.newBuilder().setRun(run).build(), millis);
  }

  private Answers ping(Collection<Datanode> nodes, PingRequestProto request, long millis)
      throws IOException {
    Queue<Datanode> left = new ConcurrentLinkedQueue<>(nodes);
    Gathered gathered = new Gathered();
    List<Future<?>> askers = new ArrayList<>();
    for (int i = 0; i < Math.min(AT_ONCE, nodes.size()); i++) {
      askers.add(
          threads.submit(
              () -> {
                for (Datanode node = left.poll(); node != null; node = left.poll()) {
                  ask(node, request, millis, gathered);
                }
                return null;
              }));
    }
    try {
      for (Future<?> asker : askers) {
        asker.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("DataNodes cannot be asked: " + e.getCause(), e);
    } catch (InterruptedException e) {
      throw interrupted();
    } finally {
      askers.forEach(asker -> asker.cancel(true));
    }
    gathered.unreached.forEach((uuid, why) -> LOG.info("worker {} does not answer: {}", uuid, why));
    return new Answers(gathered.reached, gathered.unreached, gathered.late);
  }

  private void ask(Datanode node, PingRequestProto request, long millis, Gathered gathered)
      throws InterruptedException {
    Future<Worker> answer = threads.submit(() -> ping(node, request));
    try {
      gathered.reached.put(node.uuid(), new AwakeTime(millis, System::nanoTime).get(answer));
    } catch (TimeoutException e) {
      gathered.late(node, "no answer within " + millis + " ms");
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      if (cause instanceof InterruptedIOException) {
        gathered.late(node, Rpc.reason(cause)); // a connection's own time is over
      } else {
        gathered.unreached.put(node.uuid(), Rpc.reason(cause));
      }
    } finally {
      answer.cancel(true);
    }
  }

  /** Pings those workers that did not answer lately. */
  public Answers reach(Collection<Datanode> nodes) throws IOException {
    Map<String, Worker> reached = new HashMap<>();
    Map<String, Datanode> asked = new LinkedHashMap<>();
    for (Datanode node : nodes) {
      Seen known = seen.get(PoolNode.of(node));
      if (known != null && known.fresh()) {
        reached.put(node.uuid(), known.worker);
      } else {
        asked.put(node.uuid(), node);
      }
    }
    if (asked.isEmpty()) {
      return new Answers(reached, Map.of(), Set.of());
    }
    Answers answers = ping(asked.values());
    reached.putAll(answers.reached());
    return new Answers(reached, answers.unreached(), answers.late());
  }

  private Worker ping(Datanode node, PingRequestProto request) throws IOException {
    seen.remove(PoolNode.of(node));
    BraidWorkerPB stub = stub(node);
    PingResponseProto answer = Rpc.call(() -> stub.ping(null, request));
    if (!answer.getUuid().equals(node.uuid())) {
      // It may have taken over the port of one that is gone.
      throw new IOException("another DataNode answers there, " + answer.getUuid());
    }
    Worker worker = new Worker(node, answer);
    seen.put(PoolNode.of(node), new Seen(worker, System.nanoTime()));
    return worker;
  }

  /** Makes the next {@link #reach} ping a worker again. */
  public void doubt(Datanode node) {
    seen.remove(PoolNode.of(node));
  }

  /** Runs a fragment; returns when it has ended. */
  public ExecuteResponseProto execute(Datanode node, ExecuteRequestProto request)
      throws WorkerException {
    BraidWorkerPB stub;
    try {
      stub = stub(node);
    } catch (IOException e) {
      throw WorkerException.unreachable(e);
    }
    try {
      return stub.execute(null, request);
    } catch (ServiceException e) {
      throw WorkerException.of(e);
    }
  }

  /** Begins to abort a run at some workers; skips those that do not answer. */
  public CompletableFuture<Void> cancel(Collection<Datanode> nodes, String run) {
    CancelRequestProto request = CancelRequestProto.newBuilder().setRun(run).build();
    return CompletableFuture.allOf(
        nodes.stream()
            .map(node -> start(() -> cancel(node, request)))
            .toArray(CompletableFuture<?>[]::new));
  }

  private boolean cancel(Datanode node, CancelRequestProto request) {
    try {
      BraidWorkerPB stub = stub(node);
      Rpc.call(() -> stub.cancel(null, request));
      return true;
    } catch (IOException e) {
      LOG.debug("run {} was not cancelled at {}", request.getRun(), node.host(), e);
      return false;
    }
  }

  /**
   * Forces a replica to a node's disk and reads it from there against its checksums, at a pace.
   *
   * @param pace the pace, and the name by which it is changed
   * @return the CRC-32C of the content, with the checksums that HDFS keeps beside the replica
   * @throws IOException when it is missing, another generation or length, or corrupt
   */
  public Verified verified(Datanode node, BlockIdentity block, VerifyRequestProto.Builder pace)
      throws IOException {
    VerifyResponseProto answer = verify(node, pace.setForced(true), block);
    return new Verified(
        answer.getCrc32C(), answer.hasChecksum() ? StripeCodec.of(answer.getChecksum()) : null);
  }

  /** Changes the pace of runs at a node, and asks for the latencies of its readers. */
  public PaceResponseProto pace(Datanode node, PaceRequestProto request) throws IOException {
    BraidWorkerPB stub = stub(node);
    return Rpc.call(() -> stub.pace(null, request));
  }

  /** Checks a replica of a node against its checksums, in the page cache or on disk. */
  public int check(Datanode node, BlockIdentity block) throws IOException {
    return verify(node, VerifyRequestProto.newBuilder(), block).getCrc32C();
  }

  private VerifyResponseProto verify(
      Datanode node, VerifyRequestProto.Builder request, BlockIdentity block) throws IOException {
    BraidWorkerPB stub = stub(node);
    VerifyRequestProto asked = request.setBlock(StripeCodec.toProto(block)).build();
    return Rpc.call(() -> stub.verify(null, asked));
  }

  /**
   * Reads a replica of a node, bypassing the page cache if possible, and compares it with the
   * encoded content.
   *
   * @throws org.apache.hadoop.ipc.RetriableException when the node reads another one already
   */
  public ScrubResponseProto scrub(Datanode node, ScrubRequestProto request) throws IOException {
    BraidWorkerPB stub = stub(node);
    return Rpc.call(() -> stub.scrub(null, request));
  }

  /** The checksums that HDFS keeps beside a replica of a node. */
  public ReplicaChecksum checksum(Datanode node, BlockIdentity block) throws IOException {
    BraidWorkerPB stub = stub(node);
    ChecksumRequestProto request =
        ChecksumRequestProto.newBuilder().setBlock(StripeCodec.toProto(block)).build();
    return StripeCodec.of(Rpc.call(() -> stub.checksum(null, request)));
  }

  /** Forces replicas to a node's disk; returns those that may not be there, with the reason. */
  public SyncResponseProto sync(Datanode node, List<BlockIdentity> blocks) throws IOException {
    BraidWorkerPB stub = stub(node);
    SyncRequestProto request =
        SyncRequestProto.newBuilder()
            .addAllBlocks(blocks.stream().map(StripeCodec::toProto).toList())
            .build();
    return Rpc.call(() -> stub.sync(null, request));
  }

  /**
   * Pins or unpins replicas of a node.
   *
   * @return whether the node supports pins
   */
  public boolean pin(Datanode node, List<BlockIdentity> blocks, Pin pin) throws IOException {
    BraidWorkerPB stub = stub(node);
    PinRequestProto request =
        PinRequestProto.newBuilder()
            .addAllBlocks(blocks.stream().map(StripeCodec::toProto).toList())
            .setPinned(pin == Pin.SET)
            .build();
    return Rpc.call(() -> stub.pin(null, request)).getEnabled();
  }

  /** Runs a task on a daemon thread. */
  public <T> CompletableFuture<T> start(Callable<T> task) {
    CompletableFuture<T> result = new CompletableFuture<>();
    threads.execute(
        () -> {
          try {
            result.complete(task.call());
          } catch (Exception | Error e) {
            result.completeExceptionally(e);
          }
        });
    return result;
  }

  private BraidWorkerPB stub(Datanode node) throws IOException {
    String key = node.ip() + ":" + node.ipcPort() + ":" + node.blockPool();
    BraidWorkerPB known = stubs.get(key);
    if (known != null) {
      return known;
    }
    BraidWorkerPB made = connections.open(node);
    BraidWorkerPB earlier = stubs.putIfAbsent(key, made);
    if (earlier != null) {
      Rpc.stop(made);
      return earlier;
    }
    return made;
  }

  /** The exception of a thread that was interrupted while it waited for workers. */
  public static InterruptedIOException interrupted() {
    Thread.currentThread().interrupt();
    return new InterruptedIOException("interrupted while waiting for workers");
  }

  @Override
  public void close() {
    threads.shutdownNow();
    stubs.values().forEach(Rpc::stop);
    stubs.clear();
  }
}
