package org.braid.hdfs.coordinator.check;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.net.UnknownHostException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys.Failover;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.view.CheckReport;
import org.braid.hdfs.coordinator.check.DaemonFacts.Role;
import org.braid.hdfs.coordinator.policy.PolicyStore;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.dispatch.Connections;
import org.braid.hdfs.dispatch.NameNodeLink;
import org.braid.hdfs.dispatch.Routers;
import org.braid.hdfs.dispatch.UserCalls;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.failure.Causes;
import org.braid.hdfs.policy.KnownReads;
import org.braid.hdfs.policy.PolicySet;
import org.braid.hdfs.proto.BraidProtos.ClusterRequestProto;
import org.braid.hdfs.proto.BraidProtos.ClusterResponseProto;
import org.braid.hdfs.proto.BraidProtos.CodeTotalProto;
import org.braid.hdfs.rpc.BraidNameNodePB;
import org.braid.hdfs.rpc.NetworkLocations;
import org.braid.hdfs.rpc.OneLine;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.stripe.Datanode;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the daemons of a cluster, also at those without Braid: asks their plugins over RPC, and
 * reads their configurations from their web servers ({@code /conf}).
 */
public final class Inspection {
  private static final Logger LOG = LoggerFactory.getLogger(Inspection.class);
  private static final String JAVA = "/jmx?qry=java.lang:type=Runtime";
  private static final int WEB_MILLIS = 5_000;
  private static final int PING_MILLIS = 5_000;
  private static final int PARALLEL = 16;

  /** Exceptions that mean that no server answers; a server that answers can refuse in many ways. */
  private static final List<Class<? extends IOException>> UNREACHED =
      List.of(
          ConnectException.class,
          SocketTimeoutException.class,
          NoRouteToHostException.class,
          UnknownHostException.class,
          EOFException.class);

  private final Configuration conf;
  private final URLConnectionFactory web;
  private @Nullable ClusterResponseProto active;

  /** NameNodes that answer and are not active. */
  private int passive;

  private Inspection(Configuration conf) {
    this.conf = conf;
    web = URLConnectionFactory.newDefaultURLConnectionFactory(WEB_MILLIS, WEB_MILLIS, conf);
  }

  /**
   * Checks a cluster.
   *
   * @param codes names of codes that are to be used
   * @throws IOException when no NameNode is named or this user may not look
   */
  public static CheckReport check(Connection connection, List<String> codes) throws IOException {
    List<ErasureCode> used = codes.stream().map(Codes::named).toList();
    Configuration conf = Connections.unchecked(connection);
    hurry(conf);
    Inspection inspection = new Inspection(conf);
    try (DistributedFileSystem hdfs = Connections.open(conf)) {
      return ClusterCheck.of(inspection.facts(hdfs, used));
    } finally {
      inspection.web.destroy();
    }
  }

  /** Makes calls fail after one attempt: an unreachable daemon is a finding. */
  static void hurry(Configuration conf) {
    int failovers = NameNodeLink.failovers(FileSystem.getDefaultUri(conf), conf);
    conf.setInt("ipc.client.connect.max.retries", 1);
    conf.setInt("ipc.client.connect.max.retries.on.timeouts", 1);
    conf.setInt(Failover.MAX_ATTEMPTS_KEY, Math.max(2, failovers));
    conf.setBoolean("dfs.client.retry.policy.enabled", false);
  }

  private ClusterFacts facts(DistributedFileSystem hdfs, List<ErasureCode> codes)
      throws IOException {
    List<DaemonFacts> daemons = new ArrayList<>();
    for (InetSocketAddress address : NameNodeLink.addresses(FileSystem.getDefaultUri(conf), conf)) {
      daemons.add(nameNode(address));
    }
    if (active == null) {
      Routers.refuse(hdfs, FileSystem.getDefaultUri(conf), conf);
    }
    Optional<Boolean> safeMode = safeMode(hdfs, daemons);
    if (safeMode.isEmpty()) {
      return new ClusterFacts(
          conf,
          daemons,
          List.of(),
          false,
          false,
          false,
          EligibleNodes.all(Topology.builder().build()),
          codes,
          ClusterFacts.Work.NONE);
    }
    List<DatanodeInfo> live = List.of(hdfs.getDataNodeStats(DatanodeReportType.LIVE));
    List<String> dead = missing(List.of(hdfs.getDataNodeStats(DatanodeReportType.DEAD)));
    daemons.addAll(dataNodes(live));
    return new ClusterFacts(
        conf,
        daemons,
        dead,
        true,
        safeMode.get(),
        active != null && active.getCoordination().getServed(),
        EligibleNodes.all(places(live)),
        codes,
        active == null ? ClusterFacts.Work.NONE : work(hdfs, active));
  }

  /**
   * Names of the dead nodes that are in service: the others were decommissioned or are in
   * maintenance.
   */
  static List<String> missing(List<DatanodeInfo> dead) {
    return dead.stream().filter(DatanodeInfo::isInService).map(Inspection::name).toList();
  }

  /** The nodes that may get blocks: those in service, as conversion has it. */
  static Topology places(List<DatanodeInfo> nodes) {
    Topology.Builder topology = Topology.builder();
    nodes.stream()
        .filter(DatanodeInfo::isInService)
        .forEach(
            node ->
                NetworkLocations.add(topology, node.getDatanodeUuid(), node.getNetworkLocation()));
    return topology.build();
  }

  /** Whether the active NameNode is in safe mode; empty when none is active. */
  private Optional<Boolean> safeMode(DistributedFileSystem hdfs, List<DaemonFacts> daemons)
      throws IOException {
    long reached = daemons.stream().filter(daemon -> daemon.unreached().isEmpty()).count();
    if (passive == reached) {
      return Optional.empty();
    }
    try {
      return Optional.of(hdfs.isInSafeMode());
    } catch (IOException e) {
      if (isStandby(e)) { // and without Braid
        return Optional.empty();
      }
      throw e;
    }
  }

  private static boolean isStandby(IOException e) {
    return e instanceof StandbyException
        || (e instanceof RemoteException remote
            && StandbyException.class.getName().equals(remote.getClassName()));
  }

  private ClusterFacts.Work work(DistributedFileSystem hdfs, ClusterResponseProto cluster) {
    PolicyStore store = new PolicyStore(hdfs, InstantSource.system());
    PolicySet policies = PolicySet.NONE;
    KnownReads reads = KnownReads.NONE;
    Map<String, Long> stripes = new TreeMap<>();
    List<String> problems = new ArrayList<>();
    try {
      policies = store.current().policies();
      reads = store.reads().known(cluster);
    } catch (IOException e) {
      problems.add("policies: " + Rpc.reason(e));
    }
    try (NameNodeCalls calls =
        new NameNodeCalls(new NameNodeLink(FileSystem.getDefaultUri(conf), conf))) {
      for (CodeTotalProto code : calls.totals().getCodesList()) {
        stripes.merge(code.getCode(), code.getStripes(), Long::sum);
      }
    } catch (IOException e) {
      problems.add("stripes: " + Rpc.reason(e));
    }
    return new ClusterFacts.Work(policies, reads, stripes, problems);
  }

  private DaemonFacts nameNode(InetSocketAddress address) throws IOException {
    String failure = "";
    String unreached = "";
    Optional<String> version = Optional.empty();
    BraidNameNodePB stub = Rpc.nameNode(conf, address);
    try {
      ClusterResponseProto answer =
          Rpc.call(() -> stub.cluster(null, ClusterRequestProto.getDefaultInstance()));
      version = Optional.of(answer.getVersion());
      active = answer;
    } catch (StandbyException e) {
      passive++; // the plugin of a standby answers so
    } catch (IOException e) {
      Optional<String> ticket = Connections.withoutTicket(FileSystem.getDefaultUri(conf), e);
      if (ticket.isPresent()) {
        throw new IOException(ticket.get(), e);
      }
      if (isUnreached(e)) {
        unreached = Rpc.reason(e);
      } else {
        failure = reason(e);
      }
    } finally {
      Rpc.stop(stub);
    }
    URI server = DFSUtil.getInfoServer(address, conf, DFSUtil.getHttpClientScheme(conf));
    String name = "namenode " + address.getHostString() + ":" + address.getPort();
    return facts(
        Role.NAME_NODE, name, server.toString(), unreached, failure, version, Optional.empty());
  }

  /** Whether no NameNode is behind a failure. */
  private static boolean isUnreached(IOException e) {
    return Causes.of(e).stream()
        .anyMatch(error -> UNREACHED.stream().anyMatch(kind -> kind.isInstance(error)));
  }

  private static String reason(IOException e) {
    String reason = Rpc.reason(e);
    return Rpc.isUnknownProtocol(reason) ? "its plugin is not started" : reason;
  }

  private static String name(DatanodeInfo node) {
    return "datanode " + node.getHostName();
  }

  private List<DaemonFacts> dataNodes(List<DatanodeInfo> nodes) throws IOException {
    ExecutorService threads = Executors.newFixedThreadPool(PARALLEL);
    try (Workers workers = new Workers(conf, PING_MILLIS)) {
      Workers.Answers answers = workers.ping(nodes.stream().map(Inspection::worker).toList());
      List<Future<DaemonFacts>> asked = new ArrayList<>();
      nodes.forEach(node -> asked.add(threads.submit(() -> dataNode(node, answers))));
      List<DaemonFacts> found = new ArrayList<>();
      for (Future<DaemonFacts> one : asked) {
        found.add(one.get());
      }
      return found;
    } catch (ExecutionException e) {
      throw new IOException(String.valueOf(e.getCause()), e);
    } catch (InterruptedException e) {
      throw Workers.interrupted();
    } finally {
      threads.shutdownNow();
    }
  }

  private DaemonFacts dataNode(DatanodeInfo node, Workers.Answers answers) {
    String uuid = node.getDatanodeUuid();
    String failure = Optional.ofNullable(answers.unreached().get(uuid)).orElse("");
    boolean secure = DFSUtil.getHttpClientScheme(conf).equals("https");
    String server =
        String.format(
            Locale.ROOT,
            "%s://%s:%d",
            secure ? "https" : "http",
            secure ? hostName(node.getIpAddr()) : node.getIpAddr(),
            secure ? node.getInfoSecurePort() : node.getInfoPort());
    return facts(
        Role.DATA_NODE,
        name(node),
        server,
        "",
        Rpc.isUnknownProtocol(failure) ? "its plugin is not started" : failure,
        Optional.ofNullable(answers.reached().get(uuid))
            .map(worker -> worker.answer().getVersion()),
        Optional.ofNullable(answers.reached().get(uuid))
            .map(worker -> worker.answer().getKernel()));
  }

  /** Resolves an address to its host name, which certificates and tickets contain. */
  private static String hostName(String ip) {
    return new InetSocketAddress(ip, 0).getAddress().getCanonicalHostName();
  }

  private static Datanode worker(DatanodeInfo node) {
    return Datanode.builder(node.getDatanodeUuid())
        .host(node.getHostName())
        .ip(node.getIpAddr())
        .ipcPort(node.getIpcPort())
        .transferPort(node.getXferPort())
        .rack(node.getNetworkLocation())
        .remaining(node.getRemaining())
        .build();
  }

  /** Opens a page with SPNEGO as the current user, whose ticket may come from a keytab. */
  private URLConnection open(String address) throws IOException {
    URL url = new URL(address);
    return UserCalls.runAs(
        UserGroupInformation.getCurrentUser(),
        () -> {
          try {
            return web.openConnection(url, true);
          } catch (AuthenticationException e) {
            throw new IOException(e.getMessage(), e);
          }
        });
  }

  /** Why a page cannot be read, in one line: the failure and its root cause. */
  private static String line(Throwable failure) {
    String what = OneLine.first(failure);
    String why = OneLine.first(Causes.root(failure));
    return what.contains(why) ? what : what + ": " + why;
  }

  /** The Java of a daemon, as its web server tells it; a finding of {@code /conf} says why not. */
  private Optional<String> java(String server) {
    try {
      URLConnection connection = open(server + JAVA);
      try (InputStream in = connection.getInputStream()) {
        String version = new ObjectMapper().readTree(in).at("/beans/0/SpecVersion").asText();
        return version.isEmpty() ? Optional.empty() : Optional.of(version);
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("{}{}: {}", server, JAVA, e.getMessage());
      return Optional.empty();
    }
  }

  private DaemonFacts facts(
      Role role,
      String name,
      String server,
      String unreached,
      String pluginFailure,
      Optional<String> version,
      Optional<String> kernel) {
    Optional<Configuration> read = Optional.empty();
    String failure = "";
    OptionalLong skew = OptionalLong.empty();
    try {
      URLConnection connection = open(server + "/conf?format=xml");
      if (connection instanceof HttpURLConnection http && http.getResponseCode() != 200) {
        throw new IOException(
            server + "/conf answers " + http.getResponseCode() + " " + http.getResponseMessage());
      }
      Configuration daemon = new Configuration(false);
      try (InputStream in = connection.getInputStream()) {
        daemon.addResource(in, server + "/conf");
        daemon.size(); // reads it
      }
      read = Optional.of(daemon);
      if (connection.getDate() > 0) {
        skew = OptionalLong.of(connection.getDate() - System.currentTimeMillis());
      }
    } catch (IOException | RuntimeException e) {
      failure = server + ": " + line(e);
    }
    return new DaemonFacts(
        role, name, read, failure, unreached, pluginFailure, version, java(server), kernel, skew);
  }
}
