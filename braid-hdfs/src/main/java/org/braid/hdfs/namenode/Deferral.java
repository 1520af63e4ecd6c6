package org.braid.hdfs.namenode;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.util.Time;
import org.braid.hdfs.proto.BraidProtos.CoordinationProto;
import org.braid.hdfs.rpc.Heartbeats;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All that makes clients without Braid's file system wait for lost blocks instead of failing: who
 * is silent, what is demanded, and HDFS's calls that wait.
 */
final class Deferral implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(Deferral.class);

  private final NameNodeHost host;
  private final Leases leases;
  private final LostBlocks lostBlocks;
  private final Demands demands;
  private final boolean enabled;
  private final long waitMillis;
  private @Nullable HeartbeatServer heartbeats;

  /**
   * Nothing is deferred yet.
   *
   * @param leases who works on the cluster
   */
  Deferral(NameNodeHost host, StripeIndex index, Leases leases) {
    this.host = host;
    this.leases = leases;
    lostBlocks = new LostBlocks(host, index);
    enabled = DeferralSettings.enabled(host.conf());
    waitMillis = DeferralSettings.waitMillis(host.conf());
    demands =
        new Demands(
            Time::monotonicNow,
            lostBlocks::readable,
            leases::waiting,
            DeferralSettings.calls(host.conf()),
            waitMillis);
  }

  /** What readers wait for. */
  Demands demands() {
    return demands;
  }

  /** Which blocks are lost. */
  LostBlocks lostBlocks() {
    return lostBlocks;
  }

  /** Puts itself in front of HDFS's calls, and begins to hear heartbeats. */
  void start(RPC.Server server) throws IOException {
    demands.start();
    listen(server.getListenerAddress());
    if (enabled) {
      server.addProtocol(
          RPC.RpcKind.RPC_PROTOCOL_BUFFER,
          ClientNamenodeProtocolPB.class,
          ClientNamenodeProtocol.newReflectiveBlockingService(
              new DeferringCalls(host, lostBlocks, demands)));
      WebHdfsFilter.install(host.nameNode().getHttpServer());
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

  /** How things are. */
  CoordinationProto describe() {
    CoordinationProto.Builder described =
        CoordinationProto.newBuilder()
            .setDeferring(enabled)
            .setWaitMillis(waitMillis)
            .setWaiting(demands.waiting())
            .setServed(demands.served())
            .setHearsHeartbeats(heartbeats != null);
    leases.holder().ifPresent(described::setCoordinator);
    return described.build();
  }

  @Override
  public void close() {
    demands.close();
    HeartbeatServer started = heartbeats;
    if (started != null) {
      started.close();
    }
  }
}
