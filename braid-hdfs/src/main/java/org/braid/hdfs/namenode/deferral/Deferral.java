package org.braid.hdfs.namenode.deferral;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.util.Time;
import org.braid.hdfs.namenode.calls.ClientReports;
import org.braid.hdfs.namenode.calls.ConvertedWrites;
import org.braid.hdfs.namenode.calls.FsckGuard;
import org.braid.hdfs.namenode.calls.GuardedCalls;
import org.braid.hdfs.namenode.calls.SafeRemovals;
import org.braid.hdfs.namenode.calls.StripeGuard;
import org.braid.hdfs.namenode.calls.ToolFilter;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.Shares;
import org.braid.hdfs.namenode.lease.Leases;
import org.braid.hdfs.namenode.stripes.Raiser;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.namenode.stripes.Trimmer;
import org.braid.hdfs.namenode.writes.OpenWrites;
import org.braid.hdfs.proto.BraidProtos.CoordinationProto;
import org.braid.hdfs.rpc.Heartbeats;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes clients without Braid's file system wait for lost blocks instead of failing. It holds the
 * silent nodes, the demanded blocks and HDFS's calls that wait.
 */
public final class Deferral implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Deferral.class);

  /** How long a {@code fsck} that would delete files waits for renames that came before it. */
  private static final long FSCK_MILLIS = 10_000;

  private final NameNodeHost host;
  private final Leases leases;
  private final LostBlocks lostBlocks;
  private final FsckGuard fscks;
  private final ConvertedWrites writes;
  private final StripeGuard guard;
  private final Demands demands;
  private final UserDemands waiting;
  private final SafeRemovals removals;
  private final ClientReports reports;
  private final boolean enabled;
  private final long waitMillis;
  private @Nullable HeartbeatServer heartbeats;

  /**
   * Starts without waiting calls.
   *
   * @param open changes of files that are under way and that conversion respects
   * @param leases leases of the coordinators
   * @param thinned gets stripes from which removals and writes took some data blocks
   */
  public Deferral(
      NameNodeHost host,
      StripeIndex index,
      OpenWrites open,
      Leases leases,
      Consumer<Set<String>> thinned) {
    this.host = host;
    this.leases = leases;
    lostBlocks = new LostBlocks(host, index);
    reports = new ClientReports(host, index);
    writes = new ConvertedWrites(host, index, open, thinned);
    guard = new StripeGuard(host, index);
    fscks = new FsckGuard(host, index, open, FSCK_MILLIS);
    enabled = DeferralSettings.enabled(host.conf());
    waitMillis = DeferralSettings.waitMillis(host.conf());
    int calls = DeferralSettings.calls(host.conf());
    int ofUser = DeferralSettings.callsPerUser(host.conf());
    demands =
        new Demands(
            Time::monotonicNow,
            lostBlocks::readable,
            leases,
            host.nameNode()::isActiveState,
            new Demands.Most(calls, ofUser),
            waitMillis);
    waiting = new UserDemands(demands, new Shares(calls, ofUser));
    Raiser raiser = new Raiser(host, index, open);
    Trimmer trimmer = new Trimmer(host, index, open);
    removals =
        new SafeRemovals(
            host, index, waiting, raiser::protectBlocks, trimmer::keepOneAgain, thinned);
  }

  /** The NameNode. */
  public NameNodeHost host() {
    return host;
  }

  /** The blocks that readers wait for. */
  public Demands demands() {
    return demands;
  }

  /** The clients' calls that remove blocks. */
  public SafeRemovals removals() {
    return removals;
  }

  /** The lost blocks. */
  public LostBlocks lostBlocks() {
    return lostBlocks;
  }

  /**
   * Puts the guards in front of HDFS's client calls, and begins to receive heartbeats.
   *
   * @param servers the RPC servers that clients may call, the client server first
   */
  public void start(List<RPC.Server> servers) throws IOException {
    demands.start();
    listen(servers.get(0).getListenerAddress());
    BlockingService calls =
        ClientNamenodeProtocol.newReflectiveBlockingService(
            enabled
                ? new DeferringCalls(
                    host, guard, fscks, writes, removals, reports, lostBlocks, demands, waiting)
                : new GuardedCalls(host, guard, fscks, writes, removals, reports));
    for (RPC.Server server : servers) {
      server.addProtocol(RPC.RpcKind.RPC_PROTOCOL_BUFFER, ClientNamenodeProtocolPB.class, calls);
    }
    ToolFilter.install(host, guard, writes, removals, fscks);
    if (enabled) {
      WebHdfsFilter.install(host.nameNode().getHttpServer(), this);
    }
  }

  private void listen(InetSocketAddress address) {
    if (!Heartbeats.enabled(host.conf())) {
      return;
    }
    try {
      HeartbeatServer started = HeartbeatServer.start(host, address);
      heartbeats = started;
      host.watches(started.silence());
    } catch (IOException e) {
      LOG.warn(
          "no heartbeats of workers are heard, silent nodes are noticed as HDFS does: UDP port {}:"
              + " {}; {} names another",
          Heartbeats.port(host.conf(), address.getPort()),
          e.getMessage(),
          Heartbeats.PORT_KEY);
    }
  }

  /** The state of the coordination between readers and coordinators. */
  public CoordinationProto describe() {
    CoordinationProto.Builder described =
        CoordinationProto.newBuilder()
            .setDeferring(enabled)
            .setWaitMillis(waitMillis)
            .setWaiting(demands.waiting())
            .setServed(demands.served())
            .setExpected(demands.mayBeServed())
            .setHearsHeartbeats(heartbeats != null);
    List<String> holders = leases.holders();
    if (!holders.isEmpty()) {
      described.setCoordinator(String.join(", ", holders));
    }
    return described.build();
  }

  @Override
  public void close() {
    demands.close();
    reports.close();
    HeartbeatServer started = heartbeats;
    if (started != null) {
      started.close();
    }
  }
}
