package org.braid.hdfs.datanode;

import java.io.Closeable;
import java.io.IOException;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.hdfs.datanode.peers.PeerLookup;
import org.braid.hdfs.proto.BraidProtos.CancelRequestProto;
import org.braid.hdfs.proto.BraidProtos.CancelResponseProto;
import org.braid.hdfs.proto.BraidProtos.ChecksumProto;
import org.braid.hdfs.proto.BraidProtos.ChecksumRequestProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.ExecuteResponseProto;
import org.braid.hdfs.proto.BraidProtos.PaceRequestProto;
import org.braid.hdfs.proto.BraidProtos.PaceResponseProto;
import org.braid.hdfs.proto.BraidProtos.PinRequestProto;
import org.braid.hdfs.proto.BraidProtos.PinResponseProto;
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
import org.jspecify.annotations.Nullable;

/**
 * The workers of a DataNode, one for each block pool that it serves, because block ids are unique
 * only within a pool. Each call goes to the worker of the pool that it names.
 */
final class PoolWorkers implements BraidWorkerPB, Closeable {
  private final ConcurrentHashMap<String, PoolWorker> workers = new ConcurrentHashMap<>();
  private final String name;
  private final Pools pools;
  private final Maker maker;
  private boolean stopped;

  /**
   * The worker of one block pool.
   *
   * @param service answers calls
   * @param runs the running fragments
   * @param peers other DataNodes of the pool
   * @param files the client that writes parity
   */
  record PoolWorker(WorkerService service, WorkerRuns runs, PeerLookup peers, StagingFiles files) {
    void close() throws IOException {
      try {
        files.close();
      } finally {
        peers.close();
      }
    }
  }

  /** The block pools that the DataNode serves now. */
  interface Pools {
    Set<String> served() throws IOException;
  }

  /** Creates the worker of a block pool. */
  interface Maker {
    PoolWorker make(String blockPool) throws IOException;
  }

  /**
   * Starts without workers; creates each when a call first names its pool.
   *
   * @param name name of the DataNode in messages
   */
  PoolWorkers(String name, Pools pools, Maker maker) {
    this.name = name;
    this.pools = pools;
    this.maker = maker;
  }

  /** The workers created so far. */
  Collection<PoolWorker> all() {
    return workers.values();
  }

  /** Interrupts all running fragments; new fragments and new block pools are refused. */
  synchronized void stop() {
    stopped = true;
    all().forEach(worker -> worker.runs().close());
  }

  @Override
  public synchronized void close() throws IOException {
    stopped = true;
    IOException first = null;
    for (PoolWorker worker : all()) {
      try {
        worker.close();
      } catch (IOException e) {
        first = first == null ? e : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }

  /**
   * The worker of a pool.
   *
   * @param blockPool empty for the only one
   */
  private WorkerService worker(String blockPool) throws ServiceException {
    try {
      String named = blockPool.isEmpty() ? only() : blockPool;
      PoolWorker known = workers.get(named);
      return (known == null ? make(named) : known).service();
    } catch (IOException e) {
      throw new ServiceException(e);
    }
  }

  private String only() throws IOException {
    Set<String> served = pools.served();
    if (served.size() != 1) {
      throw plain(
          served.isEmpty()
              ? name + " has not registered with a NameNode yet"
              : name
                  + " serves "
                  + served.size()
                  + " block pools, and the call names none: it comes from an older release of Braid");
    }
    return served.iterator().next();
  }

  /** Whoever asks whether a DataNode answers need not know its pools. */
  private String any() throws ServiceException {
    try {
      Set<String> served = pools.served();
      return served.isEmpty() ? only() : new TreeSet<>(served).first();
    } catch (IOException e) {
      throw new ServiceException(e);
    }
  }

  private synchronized PoolWorker make(String blockPool) throws IOException {
    PoolWorker known = workers.get(blockPool);
    if (known != null) {
      return known;
    }
    if (stopped) {
      throw plain("DataNode " + name + " is stopping");
    }
    Set<String> served = pools.served();
    if (!served.contains(blockPool)) {
      throw plain(name + " does not serve block pool " + blockPool + " but " + served);
    }
    PoolWorker made = maker.make(blockPool);
    workers.put(blockPool, made);
    return made;
  }

  /** HDFS would send the whole stack trace. */
  private static IOException plain(String message) {
    IOException plain = new Rpc.NotServingException(message);
    plain.setStackTrace(new StackTraceElement[0]);
    return plain;
  }

  @Override
  public PingResponseProto ping(RpcController controller, PingRequestProto request)
      throws ServiceException {
    return worker(request.getBlockPool().isEmpty() ? any() : request.getBlockPool())
        .ping(controller, request);
  }

  @Override
  public @Nullable ExecuteResponseProto execute(
      RpcController controller, ExecuteRequestProto request) throws ServiceException {
    return worker(request.getBlockPool()).execute(controller, request);
  }

  @Override
  public @Nullable VerifyResponseProto verify(RpcController controller, VerifyRequestProto request)
      throws ServiceException {
    return worker(request.getBlockPool()).verify(controller, request);
  }

  @Override
  public @Nullable ScrubResponseProto scrub(RpcController controller, ScrubRequestProto request)
      throws ServiceException {
    return worker(request.getBlockPool()).scrub(controller, request);
  }

  @Override
  public @Nullable ChecksumProto checksum(RpcController controller, ChecksumRequestProto request)
      throws ServiceException {
    return worker(request.getBlockPool()).checksum(controller, request);
  }

  @Override
  public @Nullable SyncResponseProto sync(RpcController controller, SyncRequestProto request)
      throws ServiceException {
    return worker(request.getBlockPool()).sync(controller, request);
  }

  @Override
  public @Nullable PinResponseProto pin(RpcController controller, PinRequestProto request)
      throws ServiceException {
    return worker(request.getBlockPool()).pin(controller, request);
  }

  @Override
  public CancelResponseProto cancel(RpcController controller, CancelRequestProto request)
      throws ServiceException {
    return worker(request.getBlockPool()).cancel(controller, request);
  }

  @Override
  public PaceResponseProto pace(RpcController controller, PaceRequestProto request)
      throws ServiceException {
    return worker(request.getBlockPool()).pace(controller, request);
  }
}
