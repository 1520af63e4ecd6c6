package org.braid.hdfs.client;

import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.DatanodeProto;
import org.braid.hdfs.proto.BraidProtos.PingRequestProto;
import org.braid.hdfs.proto.BraidProtos.PingResponseProto;
import org.braid.hdfs.proto.BraidProtos.VerifyRequestProto;
import org.braid.hdfs.rpc.BraidWorkerPB;
import org.braid.hdfs.rpc.Rpc;

/**
 * The workers that a client talks to: their connections, whether they answered lately, and the
 * daemon threads that wait for them. Thread-safe.
 */
final class Workers implements Closeable {
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long PING_MILLIS = 4000;

  private final Configuration conf;
  private final UserGroupInformation user;
  private final ConcurrentHashMap<String, Worker> reached = new ConcurrentHashMap<>();
  private final ExecutorService threads;

  /** A worker that answered. */
  record Worker(DatanodeProto node, BraidWorkerPB stub, int streamPort, long since) {
    boolean fresh() {
      return System.nanoTime() - since < FRESH_NANOS;
    }

    /** The CRC-32C of its replica of a block, read from its disk. */
    int verify(BlockProto block) throws IOException {
      VerifyRequestProto request = VerifyRequestProto.newBuilder().setBlock(block).build();
      return Rpc.call(() -> stub.verify(null, request)).getCrc32C();
    }
  }

  /** What came of asking several workers. */
  record Answers(Map<String, Worker> reached, Map<String, String> unreached) {}

  Workers(Configuration conf) throws IOException {
    this.conf = conf;
    this.user = UserGroupInformation.getCurrentUser();
    AtomicInteger number = new AtomicInteger();
    this.threads =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "braid-degraded-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Asks each node, at once, whether its worker is there, unless it answered lately. */
  Answers reach(Iterable<DatanodeProto> nodes) throws IOException {
    Map<String, Worker> answered = new HashMap<>();
    Map<String, CompletableFuture<Worker>> asked = new LinkedHashMap<>();
    for (DatanodeProto node : nodes) {
      Worker known = reached.get(node.getUuid());
      if (known != null && known.fresh()) {
        answered.put(node.getUuid(), known);
      } else {
        asked.put(node.getUuid(), start(() -> ping(node)));
      }
    }
    Map<String, String> silent = new HashMap<>();
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PING_MILLIS);
    for (var entry : asked.entrySet()) {
      try {
        long left = Math.max(0, end - System.nanoTime());
        answered.put(entry.getKey(), entry.getValue().get(left, TimeUnit.NANOSECONDS));
      } catch (ExecutionException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        silent.put(entry.getKey(), Rpc.reason(cause));
      } catch (TimeoutException e) {
        silent.put(entry.getKey(), "no answer within " + PING_MILLIS + " ms");
      } catch (InterruptedException e) {
        throw interrupted();
      }
    }
    return new Answers(answered, silent);
  }

  private Worker ping(DatanodeProto node) throws IOException {
    Worker known = reached.remove(node.getUuid());
    boolean same = known != null && known.node.getIpcPort() == node.getIpcPort();
    BraidWorkerPB stub = same ? known.stub : connect(node);
    PingResponseProto answer =
        Rpc.call(() -> stub.ping(null, PingRequestProto.getDefaultInstance()));
    if (!answer.getUuid().equals(node.getUuid())) {
      throw new IOException("another DataNode answers there, " + answer.getUuid());
    }
    Worker worker = new Worker(node, stub, answer.getStreamPort(), System.nanoTime());
    reached.put(node.getUuid(), worker);
    return worker;
  }

  private BraidWorkerPB connect(DatanodeProto node) throws IOException {
    return As.user(user, () -> Rpc.worker(conf, node.getIp(), node.getIpcPort()));
  }

  /** Has the next question ask a worker anew. */
  void doubt(String uuid) {
    reached.remove(uuid);
  }

  /** Work that may throw. */
  interface Task<T> {
    T run() throws IOException;
  }

  /** Runs a task on a daemon thread. */
  <T> CompletableFuture<T> start(Task<T> task) {
    CompletableFuture<T> result = new CompletableFuture<>();
    threads.execute(
        () -> {
          try {
            result.complete(task.run());
          } catch (IOException | RuntimeException | Error e) {
            result.completeExceptionally(e);
          }
        });
    return result;
  }

  static IOException interrupted() {
    Thread.currentThread().interrupt();
    return new java.io.InterruptedIOException("interrupted while waiting for workers");
  }

  @Override
  public void close() {
    threads.shutdown();
    reached.values().forEach(worker -> Rpc.stop(worker.stub));
    reached.clear();
  }
}
