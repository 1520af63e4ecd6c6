package org.braid.hdfs.datanode;

import java.io.Closeable;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.braid.hdfs.proto.BraidProtos.HeartbeatProto;
import org.braid.hdfs.rpc.Heartbeats;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends a datagram to each NameNode twice a second, so that silence is noticed at once. */
final class HeartbeatSender implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(HeartbeatSender.class);

  /** Names are resolved again after so many heartbeats: a NameNode may have moved. */
  private static final int RESOLVED_BEATS = 120;

  private final DataNode node;
  private final DatagramSocket socket;
  private final Thread thread = new Thread(this::run, "braid-heartbeat");
  private boolean failed;

  private HeartbeatSender(DataNode node) throws IOException {
    this.node = node;
    this.socket = new DatagramSocket();
    thread.setDaemon(true);
  }

  /** Starts to send. */
  static HeartbeatSender start(DataNode node) throws IOException {
    HeartbeatSender sender = new HeartbeatSender(node);
    sender.thread.start();
    return sender;
  }

  private void run() {
    List<InetSocketAddress> targets = List.of();
    try {
      for (long beat = 0; !socket.isClosed(); beat++) {
        if (beat % RESOLVED_BEATS == 0) {
          targets = targets(node.getConf());
        }
        String uuid = node.getDatanodeUuid();
        if (uuid != null) {
          send(uuid, targets);
        }
        Thread.sleep(Heartbeats.INTERVAL_MILLIS);
      }
    } catch (InterruptedException e) {
      LOG.debug("no more heartbeats");
    }
  }

  private void send(String uuid, List<InetSocketAddress> targets) {
    byte[] beat = HeartbeatProto.newBuilder().setUuid(uuid).build().toByteArray();
    for (InetSocketAddress target : targets) {
      try {
        socket.send(new DatagramPacket(beat, beat.length, target));
        failed = false;
      } catch (IOException | IllegalArgumentException e) {
        if (!failed && !socket.isClosed()) {
          LOG.info("no heartbeat to {}: {}", target, e.getMessage());
        }
        failed = true;
      }
    }
  }

  private static List<InetSocketAddress> targets(Configuration conf) {
    List<InetSocketAddress> named = new ArrayList<>();
    DFSUtilClient.getAddresses(conf, null, HdfsClientConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY)
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
        .filter(address -> !address.isUnresolved())
        .toList();
  }

  @Override
  public void close() {
    socket.close();
    thread.interrupt();
  }
}
