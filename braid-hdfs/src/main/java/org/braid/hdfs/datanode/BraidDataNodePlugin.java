package org.braid.hdfs.datanode;

import java.io.IOException;
import java.security.PrivilegedAction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.HDFSPolicyProvider;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.PolicyProvider;
import org.apache.hadoop.security.authorize.Service;
import org.apache.hadoop.util.ServicePlugin;
import org.braid.engine.BufferPool;
import org.braid.hdfs.datanode.PoolWorkers.PoolWorker;
import org.braid.hdfs.datanode.limits.FragmentPlaces;
import org.braid.hdfs.datanode.peers.PeerLookup;
import org.braid.hdfs.datanode.peers.PoolNameNodes;
import org.braid.hdfs.datanode.scrub.ReplicaScrub;
import org.braid.hdfs.hadoop.HadoopVersion;
import org.braid.hdfs.metrics.DaemonMetrics;
import org.braid.hdfs.proto.BraidProtos.BraidWorkerService;
import org.braid.hdfs.rpc.BraidWorkerPB;
import org.braid.hdfs.rpc.Heartbeats;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.setting.Setting;
import org.braid.hdfs.setting.Settings;
import org.braid.hdfs.time.Ticker;
import org.braid.kernel.Kernels;
import org.braid.thread.DaemonThreads;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a DataNode a worker: named in {@code dfs.datanode.plugins}, it adds Braid's calls to the
 * DataNode's RPC server and opens a port for streams.
 */
public final class BraidDataNodePlugin implements ServicePlugin {
  /** Property of the DataNode that names its plugins. */
  public static final String PLUGINS_KEY = "dfs.datanode.plugins";

  /** Property: bytes of buffers that all fragments together may use. */
  public static final String MEMORY_KEY = "braid.worker.memory";

  /** Default of {@link #MEMORY_KEY}. */
  public static final long MEMORY_DEFAULT = 64L << 20;

  /** Property: bytes of recently read replicas that are kept in memory; 0 turns the cache off. */
  public static final String CACHE_KEY = "braid.worker.cache";

  /** Default of {@link #CACHE_KEY}. */
  public static final long CACHE_DEFAULT = 16L << 20;

  /**
   * Property: whether replicas are forced to disk before the replicas that they replace are
   * dropped.
   */
  public static final String SYNC_KEY = "braid.worker.sync";

  /** Default of {@link #SYNC_KEY}. */
  public static final boolean SYNC_DEFAULT = true;

  /** Property: the users who may call, in the form of Hadoop's other service ACLs. */
  public static final String ACL_KEY = "security.braid.protocol.acl";

  private static final Logger LOG = LoggerFactory.getLogger(BraidDataNodePlugin.class);
  private static final int STOP_SECONDS = 5;

  private @Nullable ExecutorService threads;
  private @Nullable StreamServer streams;
  private @Nullable PoolWorkers workers;
  private @Nullable HeartbeatSender heartbeats;
  private DaemonMetrics.@Nullable Published metrics;

  /** Called by HDFS, with the DataNode. */
  @Override
  public void start(Object service) {
    HadoopVersion.check(); // before anything that not all versions have
    if (!(service instanceof DataNode node)) {
      throw new IllegalArgumentException(
          "Braid's DataNode plugin was started in " + service + ": it belongs into " + PLUGINS_KEY);
    }
    try {
      HadoopSelfCheck.check();
      Settings.check(node.getConf(), Setting.Reader.DATA_NODE);
      serve(node);
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.error("Braid does not run in this DataNode: {}", e.getMessage());
      stop();
      throw new IllegalStateException("Braid's worker does not start: " + e.getMessage(), e);
    }
  }

  private void serve(DataNode node) throws IOException {
    Configuration conf = node.getConf();
    long memory = conf.getLongBytes(MEMORY_KEY, MEMORY_DEFAULT);
    BufferPool pool = new BufferPool(memory);
    UserGroupInformation self = UserGroupInformation.getLoginUser();
    ExecutorService pooled = Rpc.threads(task -> thread(task, self));
    threads = pooled;
    StreamServer server = new StreamServer(node, pooled);
    streams = server;
    WorkerMetrics moved =
        new WorkerMetrics(
            () -> sum(WorkerRuns::count), pool::leasedBytes, () -> sum(r -> r.paces().limited()));
    FragmentPlaces places = FragmentPlaces.of(conf);
    ReplicaScrub scrubs = new ReplicaScrub(Ticker.SYSTEM);
    long cached = conf.getLongBytes(CACHE_KEY, CACHE_DEFAULT);
    PoolWorkers all =
        new PoolWorkers(
            node.getDisplayName(),
            () -> Replicas.poolsOf(node),
            blockPool -> {
              Replicas replicas = new Replicas(node, blockPool);
              ReplicaCache cache = new ReplicaCache(cached);
              PoolNameNodes.Lookup nameNode =
                  present -> PoolNameNodes.uri(node, present, blockPool);
              StagingFiles files = new StagingFiles(node::getConf, nameNode);
              WorkerRuns runs = new WorkerRuns(replicas, cache, server, files, pool, moved);
              PeerLookup peers = new PeerLookup(node::getConf, nameNode);
              WorkerService service =
                  new WorkerService(
                      replicas,
                      cache,
                      peers.known(),
                      runs,
                      server,
                      pool,
                      memory,
                      places,
                      scrubs,
                      pooled);
              return new PoolWorker(service, runs, peers, files);
            });
    workers = all;
    RPC.setProtocolEngine(conf, BraidWorkerPB.class, ProtobufRpcEngine2.class);
    node.ipcServer.addProtocol(
        RPC.RpcKind.RPC_PROTOCOL_BUFFER,
        BraidWorkerPB.class,
        BraidWorkerService.newReflectiveBlockingService(all));
    if (conf.getBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, false)) {
      node.ipcServer.refreshServiceAcl(conf, new Policy());
    }
    DaemonMetrics counted = moved.daemon();
    counted.label("Node", "The daemon among those of its host", node::getDisplayName);
    metrics = counted.publish(node.getDisplayName());
    if (Heartbeats.enabled(conf)) {
      heartbeats = HeartbeatSender.start(node, moved::traffic);
    }
    LOG.info(
        "worker of {}: streams at port {}, {} bytes of buffers, kernel {}",
        node.getDisplayName(),
        server.port(),
        memory,
        Kernels.active().name());
  }

  private static final AtomicInteger COUNT = new AtomicInteger();

  /**
   * A thread of the DataNode's own user: otherwise it would be that of the caller who needed it.
   */
  private static Thread thread(Runnable task, UserGroupInformation self) {
    Runnable own =
        () ->
            self.doAs(
                (PrivilegedAction<Boolean>)
                    () -> {
                      task.run();
                      return true;
                    });
    return DaemonThreads.of("braid-worker-" + COUNT.incrementAndGet(), own);
  }

  /** HDFS's own protocols and ours: HDFS refuses those that it has no rule for. */
  private static final class Policy extends PolicyProvider {
    @Override
    public Service[] getServices() {
      List<Service> services = new ArrayList<>(List.of(new HDFSPolicyProvider().getServices()));
      services.add(new Service(ACL_KEY, BraidWorkerPB.class));
      return services.toArray(new Service[0]);
    }
  }

  @Override
  public void stop() {
    if (metrics != null) {
      metrics.close();
    }
    if (heartbeats != null) {
      heartbeats.close();
    }
    if (workers != null) {
      workers.stop();
    }
    try {
      if (streams != null) {
        streams.close(); // receivers that wait for a stream wait no longer
      }
      if (threads != null) {
        threads.shutdown();
        // What runs is interrupted already; it removes what it wrote and tells its callers.
        if (!threads.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
          LOG.warn("some fragments do not end within {} s", STOP_SECONDS);
        }
      }
    } catch (IOException e) {
      LOG.warn("closing the port for streams: {}", e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    close();
  }

  @Override
  public void close() {
    try {
      if (streams != null) {
        streams.close();
      }
      if (workers != null) {
        workers.close();
      }
    } catch (IOException e) {
      LOG.warn("closing Braid's worker: {}", e.getMessage());
    }
    if (threads != null) {
      threads.shutdownNow();
    }
  }

  private Collection<PoolWorker> all() {
    return workers == null ? List.of() : workers.all();
  }

  private long sum(ToLongFunction<WorkerRuns> figure) {
    return all().stream().mapToLong(worker -> figure.applyAsLong(worker.runs())).sum();
  }
}
