package org.braid.hdfs.datanode;

import java.io.Closeable;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.braid.hdfs.datanode.limits.ClientBytes;
import org.braid.hdfs.proto.BraidProtos.HeartbeatProto;
import org.braid.hdfs.proto.BraidProtos.TrafficProto;
import org.braid.hdfs.rpc.Heartbeats;
import org.braid.hdfs.time.Ticker;
import org.braid.thread.DaemonThreads;
import org.braid.thread.Turn;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a UDP datagram to each NameNode twice a second, so that the NameNode notices a silent node
 * at once.
 */
final class HeartbeatSender implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(HeartbeatSender.class);

  /** With every so many heartbeats goes a second datagram, with what was moved. */
  private static final int TRAFFIC_BEATS = 10;

  /** Names are resolved again after so many heartbeats: a NameNode may have moved. */
  private static final int RESOLVED_BEATS = 120;

  private final Supplier<@Nullable String> uuid;
  private final Supplier<List<InetSocketAddress>> names;
  private final Supplier<TrafficProto.Builder> traffic;
  private final Wire wire;
  private final Ticker ticker;

  /** Tells this start of the worker from others. */
  private final long run = new SecureRandom().nextLong() >>> 1;

  private List<InetSocketAddress> targets = List.of();
  private long beats;
  private boolean failed;

  /** Whether NameNodes could not be looked up. */
  private boolean unresolved;

  private volatile boolean closed;
  private @Nullable Thread thread;

  /** The transport of heartbeats. */
  interface Wire extends Closeable {
    void send(byte[] beat, InetSocketAddress target) throws IOException;

    @Override
    void close();
  }

  /**
   * Creates a sender.
   *
   * @param uuid UUID of the DataNode; null while it has none
   * @param names resolves the addresses of the NameNodes; unknown names stay unresolved
   * @param traffic returns the bytes moved since the worker started
   */
  HeartbeatSender(
      Supplier<@Nullable String> uuid,
      Supplier<List<InetSocketAddress>> names,
      Supplier<TrafficProto.Builder> traffic,
      Wire wire,
      Ticker ticker) {
    this.uuid = uuid;
    this.names = names;
    this.traffic = traffic;
    this.wire = wire;
    this.ticker = ticker;
  }

  /**
   * Starts a sender.
   *
   * @param moved returns the bytes that fragments have sent
   */
  static HeartbeatSender start(DataNode node, Supplier<TrafficProto.Builder> moved)
      throws IOException {
    ClientBytes clients = ClientBytes.of(node.getMetrics());
    HeartbeatSender sender =
        new HeartbeatSender(
            node::getDatanodeUuid,
            () -> targets(node.getConf()),
            () -> clients.addTo(moved.get()),
            new Datagrams(),
            Ticker.SYSTEM);
    Thread thread = DaemonThreads.of("braid-heartbeat", sender::run);
    sender.thread = thread;
    thread.start();
    return sender;
  }

  private static final class Datagrams implements Wire {
    private final DatagramSocket socket;

    Datagrams() throws IOException {
      socket = new DatagramSocket();
    }

    @Override
    public void send(byte[] beat, InetSocketAddress target) throws IOException {
      socket.send(new DatagramPacket(beat, beat.length, target));
    }

    @Override
    public void close() {
      socket.close();
    }
  }

  void run() {
    try {
      while (!closed) {
        Turn.take(this::beat, e -> LOG.warn("no heartbeat was sent: {}", e.toString()));
        ticker.sleep(Heartbeats.INTERVAL_MILLIS);
      }
    } catch (InterruptedException e) {
      LOG.debug("no more heartbeats");
    }
  }

  /** Sends one heartbeat. */
  void beat() {
    if (unresolved || beats % RESOLVED_BEATS == 0) {
      resolve();
    }
    boolean withTraffic = beats % TRAFFIC_BEATS == 0;
    beats++;
    String own = uuid.get();
    if (own == null) {
      return;
    }
    send(HeartbeatProto.newBuilder().setUuid(own).build().toByteArray());
    if (withTraffic) {
      byte[] beat =
          HeartbeatProto.newBuilder()
              .setUuid(own)
              .setTraffic(traffic.get().setRun(run))
              .build()
              .toByteArray();
      if (beat.length <= Heartbeats.LARGEST) {
        send(beat);
      }
    }
  }

  /** Whoever was found last hears of it, if nobody can be found now. */
  private void resolve() {
    boolean before = unresolved;
    unresolved =
        !Turn.take(
            () -> targets = names.get().stream().flatMap(this::found).toList(),
            e -> {
              if (!before) {
                LOG.warn("the NameNodes are looked up again soon: {}", e.toString());
              }
            });
  }

  /** A name that no name server knows at the moment stands for the address that it had. */
  private Stream<InetSocketAddress> found(InetSocketAddress now) {
    return now.isUnresolved()
        ? targets.stream()
            .filter(
                last ->
                    last.getHostString().equals(now.getHostString())
                        && last.getPort() == now.getPort())
        : Stream.of(now);
  }

  private void send(byte[] beat) {
    for (InetSocketAddress target : targets) {
      try {
        wire.send(beat, target);
        failed = false;
      } catch (IOException | IllegalArgumentException e) {
        if (!failed && !closed) {
          LOG.info("no heartbeat to {}: {}", target, e.getMessage());
        }
        failed = true;
      }
    }
  }

  /** The NameNodes that the DataNode reports to. */
  static List<InetSocketAddress> targets(Configuration conf) {
    List<InetSocketAddress> named = new ArrayList<>();
    DFSUtilClient.getAddresses(
            reporting(conf), null, HdfsClientConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY)
        .values()
        .stream()
        .map(Map::values)
        .forEach(named::addAll);
    if (named.isEmpty()) {
      named.add(DFSUtilClient.getNNAddress(conf));
    }
    return named.stream()
        .map(
            address ->
                new InetSocketAddress(
                    address.getHostString(), Heartbeats.port(conf, address.getPort())))
        .toList();
  }

  /**
   * A configuration without the name services that are there for others: routers, and clusters that
   * files are copied to. Their names are not even resolved, which may take long.
   */
  private static Configuration reporting(Configuration conf) {
    String internal = conf.get(DFSConfigKeys.DFS_INTERNAL_NAMESERVICES_KEY, "");
    if (internal.isBlank()) {
      return conf;
    }
    Configuration own = new Configuration(conf);
    own.set(HdfsClientConfigKeys.DFS_NAMESERVICES, internal);
    return own;
  }

  @Override
  public void close() {
    closed = true;
    wire.close();
    Thread running = thread;
    if (running != null) {
      running.interrupt();
    }
  }
}
