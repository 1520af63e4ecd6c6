package org.braid.hdfs.datanode;

import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.util.Time;
import org.braid.code.SubBlock;
import org.braid.engine.BufferPool;
import org.braid.engine.BusyException;
import org.braid.engine.FragmentResult;
import org.braid.engine.FragmentRunner;
import org.braid.engine.block.CellLayout;
import org.braid.hdfs.datanode.limits.RunNotes;
import org.braid.hdfs.datanode.limits.RunPaces;
import org.braid.hdfs.proto.BraidProtos.BytesProto;
import org.braid.hdfs.proto.BraidProtos.CrcProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteResponseProto;
import org.braid.hdfs.proto.BraidProtos.OpProto;
import org.braid.hdfs.rpc.FragmentCodec;
import org.braid.kernel.Kernels;
import org.braid.plan.Fragment;
import org.jspecify.annotations.Nullable;

/** The fragments that run on this DataNode. Thread-safe. */
final class WorkerRuns implements Closeable {
  private record Key(String run, int node) {}

  private final Replicas replicas;
  private final ReplicaCache cache;
  private final StreamServer streams;
  private final StagingFiles files;
  private final BufferPool pool;
  private final RunPaces paces = new RunPaces();
  private final WorkerMetrics metrics;
  private final Map<Key, Thread> running = new HashMap<>();
  private final Map<Key, WorkerPorts> ports = new ConcurrentHashMap<>();
  private final RunNotes cancelled = new RunNotes();
  private boolean closed;

  WorkerRuns(
      Replicas replicas,
      ReplicaCache cache,
      StreamServer streams,
      StagingFiles files,
      BufferPool pool,
      WorkerMetrics metrics) {
    this.replicas = replicas;
    this.cache = cache;
    this.streams = streams;
    this.files = files;
    this.pool = pool;
    this.metrics = metrics;
  }

  /** The rates of runs. */
  RunPaces paces() {
    return paces;
  }

  /** The counters for monitoring systems. */
  WorkerMetrics metrics() {
    return metrics;
  }

  /**
   * Runs a fragment on this thread.
   *
   * @param user user who requested it
   * @throws RetriableException when there is no memory for its buffers now
   * @throws IOException when it failed; nothing that it stored is visible, and the receivers of its
   *     streams get the reason
   */
  ExecuteResponseProto run(ExecuteRequestProto request, String user) throws IOException {
    String run = request.getRun();
    Key key = new Key(run, request.getNode());
    String failure = replicas.name() + ": failed";
    WorkerPorts used = null;
    begin(key, user);
    long since = Time.monotonicNow();
    try {
      Fragment fragment = FragmentCodec.toFragment(request);
      CellLayout layout = FragmentCodec.layout(request);
      FragmentRunner runner = new FragmentRunner(Kernels.active(), request.getSlice(), pool);
      OptionalDouble rate =
          request.hasBytesPerSecond()
              ? OptionalDouble.of((double) request.getBytesPerSecond())
              : OptionalDouble.empty();
      try (BufferPool.Lease windows = windows(request, fragment, layout, runner);
          RunPaces.Held pace = paces.begin(run, rate)) {
        used = new WorkerPorts(replicas, cache, streams, files, request, layout, windows.buffers());
        ports.put(key, used);
        FragmentResult outcome = runner.run(fragment, request.getLength(), used, pace);
        ExecuteResponseProto response = response(outcome, used);
        metrics.ended(request, response, layout, Time.monotonicNow() - since);
        failure = null;
        return response;
      }
    } catch (BusyException e) {
      IOException busy = busy(e);
      failure = busy.getMessage();
      throw busy;
    } catch (IllegalArgumentException e) {
      failure = "bad request: " + e.getMessage();
      throw new IOException(failure, e);
    } catch (IOException e) {
      String why = stopped(run);
      failure = why != null ? why : replicas.name() + ": " + e.getMessage();
      throw why != null ? new IOException(why, e) : e;
    } finally {
      end(key);
      if (failure != null) {
        metrics.failed(request, used == null ? Map.of() : used.sentBytes());
        streams.failed(user, run, failure);
      }
      ports.remove(key);
      if (used != null) {
        used.end(failure != null ? failure : "");
      }
    }
  }

  /** Buffers in which sub-blocks wait for the others of their block. */
  private BufferPool.Lease windows(
      ExecuteRequestProto request, Fragment fragment, CellLayout layout, FragmentRunner runner)
      throws IOException {
    if (layout.alpha() == 1) {
      return pool.lease(0, 0);
    }
    int count = (int) request.getOpsList().stream().filter(OpProto::hasStore).count();
    int size = BlockAssembly.window(layout, request.getSlice());
    long all = (long) count * size + runner.bufferBytes(fragment, request.getLength());
    if (all > pool.maxBytes()) {
      throw tooLarge(all, pool.maxBytes());
    }
    return pool.lease(count, size);
  }

  private IOException tooLarge(long needed, long limit) {
    return new IOException(
        replicas.name()
            + ": the fragment needs buffers of "
            + needed
            + " bytes, the limit is "
            + limit
            + ": use smaller slices or raise "
            + BraidDataNodePlugin.MEMORY_KEY);
  }

  private static ExecuteResponseProto response(FragmentResult outcome, WorkerPorts ports) {
    ExecuteResponseProto.Builder response =
        ExecuteResponseProto.newBuilder()
            .setCpuNanos(outcome.cpuNanos())
            .setReadNanos(outcome.readNanos())
            .setWaitNanos(outcome.waitNanos())
            .addAllReadBlocks(FragmentCodec.blockCrcs(ports.readBlocks()))
            .addAllStoredBlocks(FragmentCodec.blockCrcs(ports.storedBlocks()));
    outcome.readCrcs().forEach((sub, crc) -> response.addReads(crc(sub, crc)));
    outcome.storeCrcs().forEach((sub, crc) -> response.addStores(crc(sub, crc)));
    for (Map.Entry<Integer, Long> sent : outcome.sentBytes().entrySet()) {
      response.addSent(BytesProto.newBuilder().setNode(sent.getKey()).setBytes(sent.getValue()));
    }
    return response.build();
  }

  private static CrcProto crc(SubBlock subBlock, int crc) {
    return CrcProto.newBuilder()
        .setSubBlock(FragmentCodec.subBlock(subBlock))
        .setCrc32C(crc)
        .build();
  }

  private IOException busy(BusyException e) {
    if (e.needed() > e.limit()) {
      return tooLarge(e.needed(), e.limit());
    }
    return new RetriableException(
        replicas.name()
            + " is busy: "
            + (e.limit() - e.available())
            + " of "
            + e.limit()
            + " bytes in use, "
            + e.needed()
            + " more are needed: try later or raise "
            + BraidDataNodePlugin.MEMORY_KEY);
  }

  private synchronized void begin(Key key, String user) throws IOException {
    String why = stopped(key.run());
    if (why != null) {
      throw new IOException(why);
    }
    if (running.putIfAbsent(key, Thread.currentThread()) != null) {
      throw new IOException(
          "bad request: node " + key.node() + " of run " + key.run() + " is running already");
    }
    streams.started(user, key.run());
  }

  private synchronized void end(Key key) {
    running.remove(key);
    // An interrupt that came too late must not hit what the thread does next.
    Thread.interrupted();
  }

  private synchronized @Nullable String stopped(String run) {
    if (closed) {
      return "DataNode " + replicas.name() + " is stopping";
    }
    return cancelled.of(run).orElse(null);
  }

  /** Aborts a run for a user: its fragments here end at once, and none starts later. */
  synchronized void cancel(String run, String user) {
    String why = "run " + run + " was cancelled";
    cancelled.add(user, run, why);
    streams.failed(user, run, why);
    running.forEach(
        (key, thread) -> {
          if (key.run().equals(run)) {
            thread.interrupt();
          }
        });
  }

  /** The node of a run whose stream its fragment here waits for; empty when for none. */
  OptionalInt waitsFor(String run) {
    return ports.entrySet().stream()
        .filter(entry -> entry.getKey().run().equals(run))
        .map(entry -> entry.getValue().waitsFor())
        .filter(OptionalInt::isPresent)
        .findFirst()
        .orElse(OptionalInt.empty());
  }

  /** How many fragments run. */
  synchronized int count() {
    return running.size();
  }

  /** Aborts all runs. */
  @Override
  public synchronized void close() {
    closed = true;
    running.values().forEach(Thread::interrupt);
  }
}
