package org.braid.hdfs.namenode.deferral;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.apache.hadoop.util.Time;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.host.Silence;
import org.braid.hdfs.proto.BraidProtos.HeartbeatProto;
import org.braid.hdfs.proto.BraidProtos.PingRequestProto;
import org.braid.hdfs.rpc.BraidWorkerPB;
import org.braid.hdfs.rpc.Heartbeats;
import org.braid.hdfs.rpc.Rpc;
import org.braid.thread.DaemonThreads;
import org.braid.thread.Turn;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives the workers' heartbeats, which are UDP datagrams to the number of the NameNode's RPC
 * port, and asks silent workers.
 */
final class HeartbeatServer implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(HeartbeatServer.class);
  private static final long LOOK_MILLIS = 100;

  /** HDFS's own heartbeats that may be missed before a node is asked. */
  private static final int OVERDUE = 2;

  /** Nodes that are asked at once; all of some racks are, and their answers take a moment each. */
  private static final int ASKED_AT_ONCE = 200;

  private static final long IDLE_SECONDS = 10;

  private final NameNodeHost host;
  private final Rpc.BriefStubs workers;
  private final DatagramSocket socket;
  private final ThreadPoolExecutor questions;
  private final Silence silence;

  private HeartbeatServer(NameNodeHost host, DatagramSocket socket) {
    this.host = host;
    this.socket = socket;
    workers = Rpc.briefWorkers(host.conf(), (int) Silence.ANSWER_MILLIS);
    questions = questions();
    silence =
        new Silence(
            Time::monotonicNow,
            this::ask,
            task -> {
              try {
                questions.execute(task);
              } catch (RejectedExecutionException e) {
                LOG.debug("the NameNode stops");
              }
            });
  }

  /**
   * Starts to listen.
   *
   * @param address of the NameNode's RPC server
   * @throws IOException when the port is taken
   */
  static HeartbeatServer start(NameNodeHost host, InetSocketAddress address) throws IOException {
    int port = Heartbeats.port(host.conf(), address.getPort());
    DatagramSocket socket = new DatagramSocket(new InetSocketAddress(address.getAddress(), port));
    HeartbeatServer server = new HeartbeatServer(host, socket);
    DaemonThreads.of("braid-heartbeats", server::receive).start();
    DaemonThreads.of("braid-silence", server::lookAgainAndAgain).start();
    return server;
  }

  /**
   * The threads that ask nodes; their number is limited, because all nodes may fall silent at once.
   */
  static ThreadPoolExecutor questions() {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            ASKED_AT_ONCE,
            ASKED_AT_ONCE,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            DaemonThreads.named("braid-question"));
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  /** The detector of silent nodes. */
  Silence silence() {
    return silence;
  }

  private void receive() {
    byte[] bytes = new byte[Heartbeats.LARGEST];
    while (!socket.isClosed()) {
      Turn.take(
          () -> receive(new DatagramPacket(bytes, bytes.length)),
          e -> {
            if (!socket.isClosed()) {
              LOG.warn("a heartbeat could not be received: {}", e.getMessage());
            }
          });
    }
  }

  private void receive(DatagramPacket packet) throws IOException {
    socket.receive(packet);
    try {
      HeartbeatProto beat =
          HeartbeatProto.parser().parseFrom(packet.getData(), 0, packet.getLength());
      DatanodeDescriptor node = host.nodes().getDatanode(beat.getUuid());
      if (node != null && node.getIpAddr().equals(packet.getAddress().getHostAddress())) {
        silence.heard(beat.getUuid());
        if (beat.hasTraffic()) {
          host.traffic().heard(beat.getUuid(), beat.getTraffic());
        }
      }
    } catch (InvalidProtocolBufferException e) {
      LOG.debug("{} sent what is no heartbeat", packet.getSocketAddress());
    }
  }

  private void lookAgainAndAgain() {
    try {
      while (!socket.isClosed()) {
        Thread.sleep(LOOK_MILLIS);
        Turn.take(this::look, e -> LOG.warn("who is silent is looked for again: {}", e.toString()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look() {
    long overdue = OVERDUE * host.nodes().getHeartbeatInterval() * 1000 + 500;
    List<Silence.Node> nodes = new ArrayList<>();
    for (DatanodeDescriptor node : host.nodes().getDatanodes()) {
      nodes.add(new Silence.Node(node.getDatanodeUuid(), ReplicaView.silence(node) > overdue));
    }
    silence.look(nodes);
  }

  private void ask(String uuid) throws IOException {
    DatanodeDescriptor node = host.nodes().getDatanode(uuid);
    if (node == null) {
      throw new IOException("it is not registered");
    }
    String answered = host.asOwner(() -> ping(node));
    if (!answered.equals(uuid)) {
      throw new IOException("DataNode " + answered + " answers in its place");
    }
  }

  private String ping(DatanodeDescriptor node) throws IOException {
    BraidWorkerPB worker = workers.at(node.getIpAddr(), node.getIpcPort());
    try {
      return ping(worker);
    } catch (EOFException e) {
      return ping(worker); // the connection was that of the process before
    } catch (RpcNoSuchProtocolException e) {
      throw new Silence.NoWorkerException(e);
    } finally {
      Rpc.stop(worker);
    }
  }

  private static String ping(BraidWorkerPB worker) throws IOException {
    return Rpc.call(() -> worker.ping(null, PingRequestProto.getDefaultInstance())).getUuid();
  }

  @Override
  public void close() {
    socket.close();
    questions.shutdownNow();
  }
}
