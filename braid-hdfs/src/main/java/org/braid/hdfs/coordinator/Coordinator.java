package org.braid.hdfs.coordinator;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.ConvertPreview;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.Policies;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.api.RepairPreview;
import org.braid.hdfs.api.RepairReport;
import org.braid.hdfs.api.RepairRequest;
import org.braid.hdfs.api.RestoreReport;
import org.braid.hdfs.api.ScrubReport;
import org.braid.hdfs.api.ScrubRequest;
import org.braid.hdfs.api.ThrottleControl;
import org.braid.hdfs.api.WatchReport;
import org.braid.hdfs.api.WatchRequest;
import org.braid.hdfs.api.view.PlacementView;
import org.braid.hdfs.api.view.StatusReport;
import org.braid.hdfs.api.view.ThrottleView;
import org.braid.hdfs.api.view.UsageReport;
import org.braid.hdfs.api.view.UsageRequest;
import org.braid.hdfs.coordinator.convert.Converter;
import org.braid.hdfs.coordinator.convert.Reencoder;
import org.braid.hdfs.coordinator.convert.Restorer;
import org.braid.hdfs.coordinator.policy.CurrentPolicies;
import org.braid.hdfs.coordinator.policy.PolicyStore;
import org.braid.hdfs.coordinator.policy.PolicyView;
import org.braid.hdfs.coordinator.repair.DemandServer;
import org.braid.hdfs.coordinator.repair.RepairSettings;
import org.braid.hdfs.coordinator.repair.Repairer;
import org.braid.hdfs.coordinator.repair.RepairsBeside;
import org.braid.hdfs.coordinator.repair.UrgentRepairs;
import org.braid.hdfs.coordinator.scrub.BackgroundScrub;
import org.braid.hdfs.coordinator.scrub.ScrubSettings;
import org.braid.hdfs.coordinator.scrub.ScrubStore;
import org.braid.hdfs.coordinator.scrub.Scrubber;
import org.braid.hdfs.coordinator.session.Claims;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.coordinator.session.RecentClusterState;
import org.braid.hdfs.coordinator.session.Session;
import org.braid.hdfs.coordinator.session.TrafficMeter;
import org.braid.hdfs.coordinator.throttle.Background;
import org.braid.hdfs.coordinator.throttle.ThrottleStore;
import org.braid.hdfs.coordinator.throttle.Throttles;
import org.braid.hdfs.coordinator.throttle.WorkerPacer;
import org.braid.hdfs.coordinator.view.Fsck;
import org.braid.hdfs.coordinator.view.Overview;
import org.braid.hdfs.dispatch.Connections;
import org.braid.hdfs.dispatch.NameNodeLink;
import org.braid.hdfs.dispatch.Routers;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.policy.Pausable;
import org.braid.hdfs.rpc.NetworkRates;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.StatusCodec;
import org.braid.hdfs.time.Ticker;
import org.braid.plan.cost.Network;
import org.braid.plan.throttle.Throttle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans and watches conversion, restoration and repair. Stateless: everything it knows comes from
 * the NameNode, so that another coordinator can take over at any time.
 */
public final class Coordinator implements Cluster {
  private static final Logger LOG = LoggerFactory.getLogger(Coordinator.class);
  private static final int RESTORE_SLICE = 256 << 10;

  /** A worker that is silent for so long is suspect. */
  private static final long PING_MILLIS = 2000;

  /** Number of DataNodes that are asked to find out whether this process reaches any. */
  private static final int ASKED_NODES = 10;

  /** The shape of repairs for readers that wait while other work is done. */
  private static final String DEMANDED_SHAPE = "chain";

  /** Stands for no lease: the NameNode refuses every change without one. */
  private static final String NO_LEASE = "";

  /** Default of {@link LeaseKeeper#WAIT_KEY}; longer than a dead coordinator's lease lasts. */
  private static final long LEASE_WAIT_MILLIS = 120_000;

  private final DistributedFileSystem files;
  private final NameNodeCalls nameNode;
  private final Workers workers;
  private final long leaseWaitMillis;
  private final Network.Rates rates;
  private final ThrottleStore throttle;
  private final Throttles throttles;

  private Coordinator(
      DistributedFileSystem files,
      NameNodeCalls nameNode,
      Workers workers,
      long leaseWaitMillis,
      Network.Rates rates,
      ThrottleStore throttle) {
    this.files = files;
    this.nameNode = nameNode;
    this.workers = workers;
    this.leaseWaitMillis = leaseWaitMillis;
    this.rates = rates;
    this.throttle = throttle;
    throttles = new Throttles(throttle, new WorkerPacer(workers), rates.link(), Ticker.SYSTEM);
  }

  /**
   * Connects to a cluster.
   *
   * @throws RefusedException when it is reached through a router
   * @throws IOException when the NameNode cannot be reached, is no HDFS or has no Braid plugin, or
   *     the network is configured as none can be
   */
  public static Cluster connect(Connection connection) throws IOException {
    return connect(Connections.configuration(connection));
  }

  /** The same by what {@link Connections#configuration} says of a connection. */
  static Cluster connect(Configuration conf) throws IOException {
    Network.Rates rates;
    try {
      rates = NetworkRates.of(conf);
    } catch (IllegalArgumentException e) {
      throw new IOException("the network: " + e.getMessage(), e);
    }
    URI uri = FileSystem.getDefaultUri(conf);
    DistributedFileSystem hdfs = Connections.open(conf);
    ThrottleStore throttle;
    try {
      throttle = new ThrottleStore(hdfs);
    } catch (IllegalArgumentException e) {
      hdfs.close();
      throw new IOException("the throttle: " + e.getMessage(), e);
    }
    NameNodeCalls calls = new NameNodeCalls(new NameNodeLink(uri, conf));
    long leaseWait =
        conf.getTimeDuration(LeaseKeeper.WAIT_KEY, LEASE_WAIT_MILLIS, TimeUnit.MILLISECONDS);
    Coordinator coordinator =
        new Coordinator(hdfs, calls, new Workers(conf, PING_MILLIS), leaseWait, rates, throttle);
    try {
      FirstCall.make(calls::cluster, () -> Routers.refuse(hdfs, uri, conf), Ticker.SYSTEM);
    } catch (IOException e) {
      coordinator.close();
      throw e instanceof RefusedException ? e : new IOException(explain(uri, conf, e), e);
    }
    return coordinator;
  }

  private static String explain(URI uri, Configuration conf, IOException e) {
    if (FirstCall.isUnknown(e)) {
      return "the NameNode of "
          + uri
          + " has no Braid plugin: add org.braid.hdfs.namenode.BraidNameNodePlugin to its"
          + " dfs.namenode.plugins";
    }
    return Connections.withoutTicket(uri, e)
        .or(() -> Connections.unknownHost(uri, conf, e))
        .orElse(uri + " cannot be reached: " + Rpc.reason(e));
  }

  private interface Work<T> {
    /**
     * Works.
     *
     * @param lost whether another one has the lease: nothing more is to be begun
     */
    T run(Session session, Progress progress, BooleanSupplier lost) throws IOException;
  }

  /**
   * Runs work under the lease of some paths, which no other coordinator changes meanwhile.
   *
   * @param progress hears how far the work is, as the NameNode does
   * @param gate which stripes may be repaired meanwhile
   */
  private <T> T alone(
      String name, List<String> paths, int slice, Progress progress, RepairGate gate, Work<T> work)
      throws IOException {
    try (LeaseKeeper lease =
        LeaseKeeper.acquire(
            nameNode.leases(), name, absolute(paths), leaseWaitMillis, Ticker.SYSTEM)) {
      Session session = session(lease, slice);
      // It may take days: neither readers of lost blocks nor repairs wait that long.
      try (DemandServer demands = DemandServer.keeping(session, DEMANDED_SHAPE);
          UrgentRepairs urgent =
              UrgentRepairs.start(
                  session,
                  DEMANDED_SHAPE,
                  new TrafficMeter(),
                  () -> demands.leads() && gate.urgent().getAsBoolean(),
                  gate.paused());
          RepairsBeside others =
              RepairsBeside.start(
                  session,
                  DEMANDED_SHAPE,
                  new TrafficMeter(),
                  () -> demands.leads() && gate.others().getAsBoolean())) {
        T done = work.run(session, lease.telling(progress), lease::lost);
        urgent.finish(); // and not while the others end
        others.finish();
        if (lease.lost()) {
          throw lost(null);
        }
        return done;
      } catch (IOException e) {
        throw lease.lost() ? lost(e) : e;
      }
    }
  }

  private static IOException lost(@Nullable IOException refusal) {
    return new IOException(
        "the lease was lost meanwhile, to another coordinator or as the NameNode restarted or another"
            + " one took over, and what was not done yet is left as it is: run the command again to"
            + " finish",
        refusal);
  }

  /** Repairs of all stripes, unless repair is paused. */
  private RepairGate repairs() {
    CurrentPolicies policies = new CurrentPolicies(store(), InstantSource.system(), Ticker.SYSTEM);
    return RepairGate.unlessPaused(
        () -> policies.now().pausedUntil(Pausable.REPAIR, Instant.now()).isPresent());
  }

  private List<String> absolute(List<String> paths) {
    return paths.stream()
        .map(path -> files.makeQualified(new org.apache.hadoop.fs.Path(path)).toUri().getPath())
        .toList();
  }

  private Session session(LeaseKeeper lease, int slice) throws IOException {
    return session(
        lease.id(),
        lease.isShared()
            ? Claims.Shared.under(nameNode.leases(), lease.id())
            : Claims.Shared.alone(),
        slice);
  }

  /** A session that reads and changes nothing. */
  private Session looking(int slice) throws IOException {
    return session(NO_LEASE, Claims.Shared.alone(), slice);
  }

  private Session session(String lease, Claims.Shared shared, int slice) throws IOException {
    int chunk = files.getServerDefaults(new org.apache.hadoop.fs.Path("/")).getBytesPerChecksum();
    return new Session(
        nameNode,
        files,
        workers,
        lease,
        new RecentClusterState(nameNode, workers),
        new Claims(shared, Ticker.SYSTEM),
        slice,
        chunk,
        rates,
        throttles,
        Background.CONVERSION);
  }

  /** Checks that a path exists, before waiting for other coordinators. */
  private void checkExists(String path) throws IOException {
    if (!files.exists(new org.apache.hadoop.fs.Path(path))) {
      throw new FileNotFoundException(path + " does not exist");
    }
  }

  @Override
  public ConvertReport convert(ConvertRequest request) throws IOException {
    for (String path : request.paths()) {
      checkExists(path);
    }
    return alone(
        "convert",
        request.paths(),
        request.sliceBytes(),
        request.progress(),
        repairs(),
        (session, told, lost) ->
            new Converter(session, request.withProgress(told), lost).convert());
  }

  @Override
  public ConvertPreview preview(ConvertRequest request) throws IOException {
    for (String path : request.paths()) {
      checkExists(path);
    }
    return new Converter(looking(request.sliceBytes()), request).preview(throttle.read());
  }

  @Override
  public RestoreReport restore(String path, Progress progress) throws IOException {
    checkExists(path);
    return alone(
        "restore",
        List.of(path),
        RESTORE_SLICE,
        progress,
        repairs(),
        (session, told, lost) -> new Restorer(session, told).restore(List.of(path)));
  }

  @Override
  public RepairReport repair(RepairRequest request) throws IOException {
    checkExists(request.path());
    return alone(
        "repair",
        List.of(request.path()),
        request.sliceBytes(),
        request.progress(),
        request.path().equals("/")
            ? RepairGate.duringRepairOfAll(() -> throttles.throttle().inForce())
            : repairs(),
        (session, told, lost) -> {
          RepairRequest heard = request.withProgress(told);
          RepairReport report = new Repairer(session, heard, lost).repair();
          Reencoder.Reencoded more = Reencoder.below(session, heard, lost).run();
          return report.withReencoded(more.stripes(), more.parityLeft());
        });
  }

  @Override
  public RepairPreview preview(RepairRequest request) throws IOException {
    checkExists(request.path());
    Session session = looking(request.sliceBytes());
    int thinned = Reencoder.below(session, request, () -> false).look();
    Throttle present = throttle.read();
    return session
        .cluster()
        .judged(
            session.cluster().patiently(session.cluster().withCaches()),
            state -> new Repairer(session, request, () -> false).preview(state, present, thinned),
            preview -> !preview.leftAlone().isEmpty() || preview.postponed() > 0);
  }

  @Override
  public ScrubReport scrub(ScrubRequest request) throws IOException {
    checkExists(request.path());
    return new Scrubber(
            nameNode,
            workers,
            new ScrubStore(files, InstantSource.system()),
            ScrubSettings.of(files.getConf()),
            request,
            InstantSource.system())
        .scrub();
  }

  @Override
  public WatchReport watch(WatchRequest request) throws IOException {
    // What cannot be is refused now, not when something is lost.
    var unused =
        RepairSettings.of(files.getConf(), request.policy(), RepairSettings.WATCH_DELAY_MILLIS);
    CutOff cutOff = CutOff.of(files.getConf(), this::reachesNodes, Ticker.SYSTEM);
    DaemonFigures figures = new DaemonFigures();
    try (DaemonFigures.Published published = figures.publish(throttles)) {
      throttles.watch(request.journal());
      ScrubSettings scrub = ScrubSettings.of(files.getConf());
      return new Watcher(
              nameNode,
              lease -> session(lease, request.sliceBytes()),
              (session, others) ->
                  BackgroundScrub.start(
                      session,
                      new ScrubStore(files, InstantSource.system()),
                      scrub,
                      others,
                      request.journal(),
                      InstantSource.system()),
              request,
              new WatchSchedule(request.intervalMillis(), Ticker.SYSTEM),
              new CurrentPolicies(store(), InstantSource.system(), Ticker.SYSTEM),
              Ticker.SYSTEM,
              cutOff,
              figures)
          .watch();
    }
  }

  /** Asks a few of the live DataNodes whether any of them answers this process. */
  private boolean reachesNodes() throws IOException {
    List<Datanode> heard =
        new ArrayList<>(
            nameNode.cluster().getDatanodesList().stream()
                .map(StatusCodec::of)
                .filter(node -> node.live() && !node.suspect())
                .toList());
    Collections.shuffle(heard);
    Workers.Answers answers = workers.ping(heard.subList(0, Math.min(ASKED_NODES, heard.size())));
    return heard.isEmpty()
        || !answers.reached().isEmpty()
        || answers.unreached().values().stream().anyMatch(Rpc::isUnknownProtocol);
  }

  @Override
  public FsckReport fsck(String path, Progress progress) throws IOException {
    return new Fsck(nameNode, new RecentClusterState(nameNode, workers), files, progress)
        .check(path);
  }

  @Override
  public StatusReport status(String path) throws IOException {
    return overview().status(path);
  }

  @Override
  public UsageReport usage(UsageRequest request, Progress progress) throws IOException {
    return overview().usage(request, progress);
  }

  @Override
  public PlacementView placement(List<String> paths) throws IOException {
    return overview().placement(paths);
  }

  @Override
  public Policies policies() {
    return new PolicyView(nameNode, store(), InstantSource.system(), this::preview);
  }

  @Override
  public ThrottleControl throttle() {
    return throttle;
  }

  private Overview overview() {
    return new Overview(
        nameNode,
        new RecentClusterState(nameNode, workers),
        files,
        this::pause,
        () -> new ScrubStore(files, InstantSource.system()).load(),
        InstantSource.system(),
        this::shownThrottle);
  }

  private Optional<ThrottleView> shownThrottle() {
    try {
      return Optional.of(throttle.show());
    } catch (IOException e) {
      LOG.warn("it cannot be told what the throttle is: {}", e.getMessage());
      return Optional.empty();
    }
  }

  private Optional<Instant> pause(Pausable what) {
    InstantSource clock = InstantSource.system();
    try {
      return store().current().pausedUntil(what, clock.instant());
    } catch (IOException e) {
      LOG.warn("it cannot be told whether {} is paused: {}", what.word(), e.getMessage());
      return Optional.empty();
    }
  }

  private PolicyStore store() {
    return new PolicyStore(files, InstantSource.system());
  }

  @Override
  public void close() {
    throttles.close();
    workers.close();
    nameNode.close();
    try {
      files.close();
    } catch (IOException e) {
      LOG.info("HDFS's client was not closed cleanly: {}", e.getMessage());
    }
  }
}
