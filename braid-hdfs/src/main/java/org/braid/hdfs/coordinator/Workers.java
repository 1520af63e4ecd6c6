package org.braid.hdfs.coordinator;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.CancelRequestProto;
import org.braid.hdfs.proto.BraidProtos.DatanodeProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteResponseProto;
import org.braid.hdfs.proto.BraidProtos.PinRequestProto;
import org.braid.hdfs.proto.BraidProtos.PingRequestProto;
import org.braid.hdfs.proto.BraidProtos.PingResponseProto;
import org.braid.hdfs.proto.BraidProtos.VerifyRequestProto;
import org.braid.hdfs.rpc.BraidWorkerPB;
import org.braid.hdfs.rpc.Rpc;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The workers of a cluster's DataNodes, and the threads that talk to them. Thread-safe. */
final class Workers implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Workers.class);

  /** A worker that is silent for so long is suspect. */
  private static final long PING_MILLIS = 2000;

  private final Configuration conf;
  private final Map<String, BraidWorkerPB> stubs = new ConcurrentHashMap<>();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "braid-worker-call");
            thread.setDaemon(true);
            return thread;
          });

  Workers(Configuration conf) {
    this.conf = conf;
  }

  /** The threads on which calls that wait are made. */
  ExecutorService threads() {
    return threads;
  }

  private BraidWorkerPB stub(DatanodeProto node) throws IOException {
    String key = key(node);
    BraidWorkerPB known = stubs.get(key);
    if (known != null) {
      return known;
    }
    BraidWorkerPB made = Rpc.worker(conf, node.getIp(), node.getIpcPort());
    BraidWorkerPB earlier = stubs.putIfAbsent(key, made);
    if (earlier != null) {
      Rpc.stop(made);
      return earlier;
    }
    return made;
  }

  private static String key(DatanodeProto node) {
    return node.getIp() + ":" + node.getIpcPort();
  }

  /** Asks all workers at once; who does not answer in two seconds is absent from the result. */
  Map<String, PingResponseProto> ping(List<DatanodeProto> nodes) {
    Map<String, Future<PingResponseProto>> asked = new HashMap<>();
    for (DatanodeProto node : nodes) {
      asked.put(
          node.getUuid(),
          threads.submit(
              () -> {
                BraidWorkerPB stub = stub(node);
                return Rpc.call(() -> stub.ping(null, PingRequestProto.getDefaultInstance()));
              }));
    }
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PING_MILLIS);
    Map<String, PingResponseProto> answers = new HashMap<>();
    asked.forEach(
        (uuid, future) -> answer(uuid, future, end).ifPresent(pong -> answers.put(uuid, pong)));
    return answers;
  }

  private static Optional<PingResponseProto> answer(
      String uuid, Future<PingResponseProto> future, long end) {
    try {
      long left = Math.max(1, end - System.nanoTime());
      PingResponseProto pong = future.get(left, TimeUnit.NANOSECONDS);
      // Another DataNode may have taken over the port of one that is gone.
      return pong.getUuid().equals(uuid) ? Optional.of(pong) : Optional.empty();
    } catch (TimeoutException e) {
      future.cancel(true);
      LOG.info("worker {} does not answer within {} ms", uuid, PING_MILLIS);
      return Optional.empty();
    } catch (ExecutionException e) {
      LOG.info("worker {} does not answer: {}", uuid, String.valueOf(e.getCause()));
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /** Runs a fragment; returns when it has ended. */
  ExecuteResponseProto execute(DatanodeProto node, ExecuteRequestProto request) throws IOException {
    BraidWorkerPB stub = stub(node);
    return Rpc.call(() -> stub.execute(null, request));
  }

  /** Aborts a run at some workers; those that do not answer are passed over. */
  void cancel(List<DatanodeProto> nodes, String run) {
    List<Future<?>> sent = new ArrayList<>();
    for (DatanodeProto node : nodes) {
      sent.add(
          threads.submit(
              () -> {
                BraidWorkerPB stub = stub(node);
                return Rpc.call(
                    () -> stub.cancel(null, CancelRequestProto.newBuilder().setRun(run).build()));
              }));
    }
    for (Future<?> call : sent) {
      try {
        call.get(PING_MILLIS, TimeUnit.MILLISECONDS);
      } catch (ExecutionException | TimeoutException e) {
        LOG.debug("a run could not be cancelled at a worker", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /**
   * Reads a replica from a node's disk against its checksums.
   *
   * @return the CRC-32C of the content
   * @throws IOException when it is missing, another generation or length, or corrupt
   */
  int verify(DatanodeProto node, BlockProto block) throws IOException {
    BraidWorkerPB stub = stub(node);
    return Rpc.call(
            () -> stub.verify(null, VerifyRequestProto.newBuilder().setBlock(block).build()))
        .getCrc32C();
  }

  /**
   * Pins replicas of a node, or takes pins back.
   *
   * @return whether the node pins at all
   */
  boolean pin(DatanodeProto node, List<BlockProto> blocks, boolean pinned) throws IOException {
    BraidWorkerPB stub = stub(node);
    PinRequestProto request =
        PinRequestProto.newBuilder().addAllBlocks(blocks).setPinned(pinned).build();
    return Rpc.call(() -> stub.pin(null, request)).getEnabled();
  }

  @Override
  public void close() {
    threads.shutdownNow();
    stubs.values().forEach(Rpc::stop);
  }
}
