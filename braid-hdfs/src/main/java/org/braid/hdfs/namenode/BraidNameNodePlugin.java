package org.braid.hdfs.namenode;

import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HDFSPolicyProvider;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.NameNodeRpcServer;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.PolicyProvider;
import org.apache.hadoop.security.authorize.Service;
import org.apache.hadoop.util.ServicePlugin;
import org.apache.hadoop.util.Time;
import org.braid.hdfs.hadoop.HadoopVersion;
import org.braid.hdfs.metrics.DaemonMetrics;
import org.braid.hdfs.namenode.calls.SafeRemovals;
import org.braid.hdfs.namenode.deferral.Deferral;
import org.braid.hdfs.namenode.ear.EarPlacement;
import org.braid.hdfs.namenode.host.HadoopInternals;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.host.WatchedNamesystem;
import org.braid.hdfs.namenode.lease.Leases;
import org.braid.hdfs.namenode.page.BraidPage;
import org.braid.hdfs.namenode.stripes.ForeignFiles;
import org.braid.hdfs.namenode.stripes.MoveCheck;
import org.braid.hdfs.namenode.stripes.ReplicaGuard;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.namenode.stripes.StripeNeighbours;
import org.braid.hdfs.namenode.stripes.StripeProtector;
import org.braid.hdfs.namenode.view.DamagedStripes;
import org.braid.hdfs.namenode.view.ScrubProgress;
import org.braid.hdfs.namenode.view.StripeFigures;
import org.braid.hdfs.namenode.writes.OpenWrites;
import org.braid.hdfs.proto.BraidProtos.BraidNameNodeService;
import org.braid.hdfs.rpc.BraidNameNodePB;
import org.braid.hdfs.setting.Setting;
import org.braid.hdfs.setting.Settings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Braid in a NameNode: serves {@link BraidNameNodePB} on the NameNode's own RPC server, keeps the
 * index of stripes and guards their last replicas. Named by {@link #PLUGINS_KEY}, together with
 * {@link BraidPlacementPolicy} by {@link #POLICY_KEY}.
 */
public final class BraidNameNodePlugin implements ServicePlugin, Configurable {
  /** Property that names a NameNode's plugins. */
  public static final String PLUGINS_KEY = DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY;

  /** Property that names the placement policy of replicated blocks. */
  public static final String POLICY_KEY = DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY;

  /**
   * Property: the users who may call Braid's service, where Hadoop's service authorization is on.
   */
  public static final String ACL_KEY = "security.braid.protocol.acl";

  private static final Logger LOG = LoggerFactory.getLogger(BraidNameNodePlugin.class);
  private static final long HOUSEKEEPING_MILLIS = 1000;

  /**
   * The plugin of each NameNode of this process, by the topology that the NameNode shares with its
   * placement policy alone.
   */
  private static final Map<NetworkTopology, BraidNameNodePlugin> RUNNING =
      new ConcurrentHashMap<>();

  private Configuration conf = new Configuration(false);
  private @Nullable NetworkTopology topology;
  private @Nullable NameNodeHost host;
  private @Nullable StripeIndex index;
  private @Nullable ReplicaGuard guard;
  private @Nullable Housekeeping housekeeping;
  private @Nullable StripeProtector protector;
  private @Nullable EarPlacement ear;
  private @Nullable StripeNeighbours neighbours;
  private @Nullable MoveCheck moves;
  private @Nullable ForeignFiles foreign;
  private @Nullable WatchedNamesystem watched;
  private @Nullable LazyPersistScrubber scrubber;
  private @Nullable Deferral deferral;
  private @Nullable StripeFigures figures;
  private @Nullable BraidPage page;
  private volatile boolean beganWithPolicy;
  private DaemonMetrics.@Nullable Published metrics;

  /** The running plugin of the NameNode whose policy has this topology; empty elsewhere. */
  public static Optional<BraidNameNodePlugin> of(@Nullable NetworkTopology topology) {
    return topology == null ? Optional.empty() : Optional.ofNullable(RUNNING.get(topology));
  }

  @Override
  public void setConf(Configuration newConf) {
    conf = newConf;
  }

  @Override
  public Configuration getConf() {
    return conf;
  }

  @Override
  public void start(Object service) {
    HadoopVersion.check(); // before anything that not all versions have
    if (!(service instanceof NameNode nameNode)) {
      throw new IllegalArgumentException(
          "Braid's NameNode plugin was started in a " + service.getClass().getName());
    }
    try {
      HadoopInternals.check();
      Settings.check(conf, Setting.Reader.NAME_NODE);
      NameNodeHost started =
          new NameNodeHost(nameNode, conf, UserGroupInformation.getCurrentUser());
      StripeIndex stripes = new StripeIndex(started);
      StripeNeighbours apart = new StripeNeighbours(started, stripes);
      OpenWrites writes = new OpenWrites();
      StripeProtector stripeProtector = new StripeProtector(started, stripes, writes);
      Leases leases = new Leases(Time::monotonicNow, started::term);
      Deferral deferring = new Deferral(started, stripes, writes, leases, stripeProtector::thinned);
      SafeRemovals removals = deferring.removals();
      ReplicaGuard replicaGuard = new ReplicaGuard(started, stripes, apart, removals::dropsAtOnce);
      host = started;
      protector = stripeProtector;
      index = stripes;
      deferral = deferring;
      guard = replicaGuard;
      ear = new EarPlacement(started, stripes);
      neighbours = apart;
      moves = new MoveCheck(started, stripes, apart, replicaGuard);
      foreign = new ForeignFiles(stripes);
      beganWithPolicy = placesByBraid(started);
      NetworkTopology shared = started.nodes().getNetworkTopology();
      topology = shared;
      DamagedStripes damaged = new DamagedStripes(started, stripes, replicaGuard::displaced);
      serve(started, new NameNodeService(started, stripes, damaged, writes, leases, deferring));
      keepAuthorized();
      watched = WatchedNamesystem.install(started);
      scrubber = LazyPersistScrubber.start(started, stripes);
      RUNNING.put(shared, this);
      replicaGuard.start();
      housekeeping =
          new Housekeeping(
              HOUSEKEEPING_MILLIS,
              List.of(
                  new Housekeeping.Duty("braid-in-force", this::keepInForce),
                  new Housekeeping.Duty(
                      "braid-standby-aims", new StandbyAims(started, stripes)::turn),
                  new Housekeeping.Duty("braid-stripe-index", () -> keepUp(started, stripes))));
      stripeProtector.start();
      figures = new StripeFigures(started, stripes, damaged);
      metrics = publish(started, figures, leases, deferring);
      figures.start();
      page =
          BraidPage.install(started, stripes, figures, leases, deferring, InstantSource.system());
      deferring.start(HadoopInternals.servers((NameNodeRpcServer) started.calls()));
      LOG.info("Braid runs in the NameNode at {}", nameNode.getNameNodeAddressHostPortString());
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.error("Braid does not run in this NameNode: {}", e.getMessage(), e);
      stop();
      throw new IllegalStateException("Braid does not run in this NameNode: " + e.getMessage(), e);
    }
  }

  private static DaemonMetrics.Published publish(
      NameNodeHost started, StripeFigures figures, Leases leases, Deferral deferring) {
    DaemonMetrics counted = started.metrics().daemon();
    String address = started.nameNode().getNameNodeAddressHostPortString();
    counted.label("Node", "The daemon among those of its host", () -> address);
    counted.label("HAState", "What this NameNode is now", started::state);
    figures.addTo(counted);
    counted.family(
        "Lease",
        rows -> {
          List<String> holders = leases.holders();
          for (String holder : holders.isEmpty() ? List.of("") : holders) {
            rows.row("Holder", holder)
                .gauge("Held", "1 while a coordinator has the lease", holder.isEmpty() ? 0 : 1);
          }
        });
    counted.gauge("CallsWaiting", "Calls that wait now", () -> deferring.demands().waiting());
    counted.gauge(
        "CoordinatorPresent",
        "1 while a coordinator rebuilds what is lost",
        () -> deferring.demands().served() ? 1 : 0);
    counted.gauge(
        "SuspectNodes",
        "DataNodes in service that miss heartbeats",
        () ->
            started.nodes().getDatanodes().stream()
                .filter(node -> ReplicaView.inService(node) && started.isSuspect(node))
                .count());
    new ScrubProgress(started, InstantSource.system()).addTo(counted);
    return counted.publish(address);
  }

  private static void serve(NameNodeHost started, NameNodeService calls) {
    RPC.Server server = rpcServer(started);
    RPC.setProtocolEngine(started.conf(), BraidNameNodePB.class, ProtobufRpcEngine2.class);
    server.addProtocol(
        RPC.RpcKind.RPC_PROTOCOL_BUFFER,
        BraidNameNodePB.class,
        BraidNameNodeService.newReflectiveBlockingService(calls));
  }

  private static RPC.Server rpcServer(NameNodeHost started) {
    return ((NameNodeRpcServer) started.calls()).getClientRpcServer();
  }

  /**
   * Lets the RPC server know who may call Braid, again whenever it was told to read its rules anew
   * ({@code dfsadmin -refreshServiceAcl}), which forgets protocols that are not HDFS's own.
   */
  private void keepAuthorized() {
    NameNodeHost running = host;
    if (running == null
        || !conf.getBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, false)) {
      return;
    }
    RPC.Server server = rpcServer(running);
    if (!server
        .getServiceAuthorizationManager()
        .getProtocolsWithAcls()
        .contains(BraidNameNodePB.class)) {
      server.refreshServiceAcl(conf, new WithBraid());
      LOG.info("authorization of {} follows {}", BraidNameNodePB.NAME, ACL_KEY);
    }
  }

  /** Has the index know what others have changed in the namespace. */
  private static void keepUp(NameNodeHost started, StripeIndex stripes) throws IOException {
    if (started.decides()) {
      stripes.ensure();
      stripes.compareNext();
    } else {
      stripes.follow();
    }
  }

  /** What HDFS's commands may have taken out of force while the NameNode runs. */
  private void keepInForce() {
    keepAuthorized();
    keepPlacing();
  }

  /**
   * Puts Braid's placement policy back where the NameNode began with it and was told to read
   * another one ({@code dfsadmin -reconfig}), as long as there are stripes: HDFS would drop surplus
   * copies of their blocks by free space.
   */
  private void keepPlacing() {
    NameNodeHost running = host;
    StripeIndex stripes = index;
    if (!beganWithPolicy || running == null || stripes == null || placesByBraid(running)) {
      return;
    }
    if (stripes.size() == 0 && !stripes.hasUnknownBlocks()) {
      return;
    }
    String other = running.blocks().getBlockPlacementPolicy().getClass().getName();
    Configuration braids = new Configuration(conf);
    braids.setClass(POLICY_KEY, BraidPlacementPolicy.class, BlockPlacementPolicy.class);
    running.blocks().refreshBlockPlacementPolicy(braids);
    LOG.warn(
        "the NameNode was told to place blocks by {}: Braid's policy is in force again, as {} stripes"
            + " need it; restore their files and restart the NameNode to do without it",
        other,
        stripes.size());
  }

  private static boolean placesByBraid(NameNodeHost running) {
    return running.blocks().getBlockPlacementPolicy() instanceof BraidPlacementPolicy;
  }

  /** HDFS's protocols and Braid's. */
  private static final class WithBraid extends PolicyProvider {
    @Override
    public Service[] getServices() {
      List<Service> services =
          new ArrayList<>(Arrays.asList(new HDFSPolicyProvider().getServices()));
      services.add(new Service(ACL_KEY, BraidNameNodePB.class));
      return services.toArray(Service[]::new);
    }
  }

  /** The NameNode; the plugin runs. */
  public NameNodeHost host() {
    return running(host);
  }

  /** The index of stripes; the plugin runs. */
  public StripeIndex index() {
    return running(index);
  }

  /** The guard of last replicas; the plugin runs. */
  public ReplicaGuard guard() {
    return running(guard);
  }

  /** The page of the NameNode's web server; the plugin runs. */
  public BraidPage page() {
    return running(page);
  }

  /** Encoding-aware replication; the plugin runs. */
  public EarPlacement ear() {
    return running(ear);
  }

  /** Where blocks of stripes may not go; the plugin runs. */
  public StripeNeighbours neighbours() {
    return running(neighbours);
  }

  /** The check of replicas that Balancer and Mover move; the plugin runs. */
  public MoveCheck moves() {
    return running(moves);
  }

  /**
   * The inode of the file whose block HDFS is about to drop surplus replicas of; the plugin runs.
   */
  long inodeInHand() {
    return running(watched).inode();
  }

  /**
   * Whether HDFS alone decides about the replicas of the file of {@link #inodeInHand}; the
   * namesystem's write lock is held.
   */
  boolean hasForeignFileInHand() {
    return running(foreign).contains(fileInHand().orElse(null));
  }

  /**
   * Whether the file of {@link #inodeInHand} is replicated and has a replication above one. A block
   * of it that aims at one replica was trimmed. This aim exists in the memory of one NameNode only
   * and, after a failover, survives there whatever the other NameNode does with the file. The
   * namesystem's write lock is held.
   */
  boolean isMoreWantedOfFileInHand() {
    return fileInHand()
        .filter(file -> !file.isStriped() && file.getPreferredBlockReplication() > 1)
        .isPresent();
  }

  /** The file of {@link #inodeInHand}; the namesystem's write lock is held. */
  Optional<INodeFile> fileInHand() {
    INode file = host().namesystem().getFSDirectory().getInode(inodeInHand());
    return file != null && file.isFile() ? Optional.of(file.asFile()) : Optional.empty();
  }

  private static <T> T running(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("Braid's NameNode plugin is not started");
    }
    return part;
  }

  @Override
  public void stop() {
    NetworkTopology shared = topology;
    if (shared != null) {
      RUNNING.remove(shared, this);
    }
    WatchedNamesystem present = watched;
    if (present != null) {
      present.remove();
      watched = null;
    }
    LazyPersistScrubber scrubbing = scrubber;
    if (scrubbing != null) {
      scrubbing.close();
      scrubber = null;
    }
    DaemonMetrics.Published published = metrics;
    if (published != null) {
      published.close();
      metrics = null;
    }
    StripeFigures looking = figures;
    if (looking != null) {
      looking.close();
      figures = null;
    }
    BraidPage shown = page;
    if (shown != null) {
      shown.close();
      page = null;
    }
    Deferral waiting = deferral;
    if (waiting != null) {
      waiting.close();
    }
    Housekeeping ending = housekeeping;
    if (ending != null) {
      ending.close();
      housekeeping = null;
    }
    ReplicaGuard running = guard;
    if (running != null) {
      running.close();
    }
    StripeProtector protecting = protector;
    if (protecting != null) {
      protecting.close();
    }
    EarPlacement placing = ear;
    if (placing != null) {
      placing.close();
    }
  }

  @Override
  public void close() {
    stop();
  }
}
