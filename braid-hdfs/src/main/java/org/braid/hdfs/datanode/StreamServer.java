package org.braid.hdfs.datanode;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.net.BasicInetPeer;
import org.apache.hadoop.hdfs.protocol.datatransfer.IOStreamPair;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.net.NetUtils;
import org.braid.hdfs.datanode.limits.PendingConnections;
import org.braid.hdfs.datanode.limits.RunNotes;
import org.braid.hdfs.proto.BraidProtos.StreamRequestProto;
import org.braid.hdfs.proto.BraidProtos.StreamStatusProto;
import org.braid.hdfs.rpc.Delimited;
import org.braid.hdfs.rpc.OneLine;
import org.braid.hdfs.rpc.StreamClient;
import org.braid.thread.DaemonThreads;
import org.braid.thread.Turn;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The TCP port at which receivers of streams connect to this worker. */
final class StreamServer implements Closeable {
  /** Property: the TCP port; 0 lets the system choose. */
  static final String PORT_KEY = "braid.worker.stream.port";

  private static final Logger LOG = LoggerFactory.getLogger(StreamServer.class);

  /** A receiver may come before its sender has been told to run. */
  private static final int REGISTER_MILLIS = 30_000;

  /** Whoever connects says at once what for. */
  private static final int HANDSHAKE_MILLIS = 5000;

  private static final int MAX_REQUEST = 1024;
  private static final int PAUSE_MILLIS = 100;
  private static final int MAX_WAITING = 1024;
  private static final int MAX_WAITING_AN_ADDRESS = 256;

  private record Key(String run, int stream) {}

  /**
   * What came of waiting for a stream.
   *
   * @param sink its sending end; null when there is none
   * @param reason why there is none
   */
  private record Awaited(@Nullable StreamSink sink, String reason) {}

  private final DataNode node;
  private final ExecutorService threads;
  private final int timeoutMillis;
  private final int registerMillis;
  private final ServerSocketChannel listener;
  private final Map<Key, StreamSink> sinks = new HashMap<>();
  private final RunNotes failures = new RunNotes();
  private final PendingConnections<Socket> waiting =
      new PendingConnections<>(MAX_WAITING, MAX_WAITING_AN_ADDRESS);
  private boolean closed;

  /**
   * Opens the port on the DataNode's data transfer address.
   *
   * @param threads runs each connection while it waits for its stream
   */
  StreamServer(DataNode node, ExecutorService threads) throws IOException {
    this.node = node;
    this.threads = threads;
    timeoutMillis = node.getConf().getInt(StreamClient.TIMEOUT_KEY, StreamClient.TIMEOUT_DEFAULT);
    registerMillis = Math.min(REGISTER_MILLIS, timeoutMillis);
    listener = ServerSocketChannel.open();
    InetSocketAddress address =
        new InetSocketAddress(
            node.getXferAddress().getAddress(), node.getConf().getInt(PORT_KEY, 0));
    try {
      listener.bind(address, 1024);
    } catch (IOException e) {
      listener.close();
      throw new IOException("cannot listen at " + address + " (" + PORT_KEY + ")", e);
    }
    DaemonThreads.of("braid-streams-" + port(), this::accept).start();
  }

  /** The port. */
  int port() {
    return listener.socket().getLocalPort();
  }

  private void accept() {
    try {
      while (listener.isOpen()) {
        if (!Turn.take(() -> accept(listener.accept().socket()), this::failed)) {
          Thread.sleep(PAUSE_MILLIS); // there may be no more files or threads
        }
      }
    } catch (InterruptedException e) {
      LOG.debug("receivers are not served any more");
    }
  }

  private void accept(Socket receiver) {
    boolean served = false;
    try {
      Optional<Socket> another = waiting.add(address(receiver), receiver);
      if (another.isPresent()) {
        LOG.info("{} waits for its stream with too many others", another.get());
        sendAway(another.get());
      }
      threads.execute(() -> serve(receiver));
      served = true;
    } finally {
      if (!served) {
        waiting.remove(address(receiver), receiver);
        closeQuietly(receiver);
      }
    }
  }

  /** The thread that serves it is not held on, wherever it waits. */
  private void sendAway(Socket receiver) {
    closeQuietly(receiver);
    synchronized (this) {
      notifyAll();
    }
  }

  private void failed(Exception e) {
    if (listener.isOpen() && !(e instanceof RejectedExecutionException)) {
      LOG.warn("a receiver could not connect: {}", e.toString());
    }
  }

  private static String address(Socket receiver) {
    return receiver.getInetAddress().getHostAddress();
  }

  private void serve(Socket receiver) {
    boolean attached = false;
    try {
      receiver.setTcpNoDelay(true);
      BasicInetPeer peer = new BasicInetPeer(receiver);
      OutputStream rawOut = NetUtils.getOutputStream(receiver, timeoutMillis);
      InputStream rawIn =
          NetUtils.getInputStream(receiver, Math.min(HANDSHAKE_MILLIS, timeoutMillis));
      IOStreamPair streams =
          node.getSaslServer()
              .receive(peer, rawOut, rawIn, node.getXferAddress().getPort(), node.getDatanodeId());
      StreamRequestProto request =
          Delimited.read(streams.in, StreamRequestProto.parser(), MAX_REQUEST);
      if (request != null) {
        attached = connect(request, receiver, streams.out);
      }
    } catch (IOException e) {
      LOG.info("receiver at {} failed: {}", receiver.getRemoteSocketAddress(), e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      waiting.remove(address(receiver), receiver);
      if (!attached) {
        closeQuietly(receiver);
      }
    }
  }

  private boolean connect(StreamRequestProto request, Socket receiver, OutputStream out)
      throws IOException, InterruptedException {
    Awaited awaited = awaitSink(new Key(request.getRun(), request.getStream()), receiver);
    if (receiver.isClosed()) {
      return false; // it was sent away
    }
    StreamSink sink = awaited.sink();
    String reason = sink == null ? awaited.reason() : sink.attach(receiver, out);
    if (reason == null) {
      return true;
    }
    // Without the run's name, which is as good as a key.
    LOG.info("refused a stream to {}: {}", receiver.getRemoteSocketAddress(), OneLine.of(reason));
    StreamStatusProto.newBuilder()
        .setHost(node.getDisplayName())
        .setError(reason)
        .build()
        .writeDelimitedTo(out);
    out.flush();
    return false;
  }

  /** The reason is that of the moment: a run that failed may begin anew. */
  private synchronized Awaited awaitSink(Key key, Socket receiver) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(registerMillis);
    while (true) {
      StreamSink sink = sinks.get(key);
      if (sink != null) {
        return new Awaited(sink, "");
      }
      Optional<String> failure = failures.of(key.run());
      if (failure.isPresent()) {
        return new Awaited(null, failure.get());
      }
      if (closed || receiver.isClosed()) {
        return new Awaited(null, "DataNode " + node.getDisplayName() + " is stopping");
      }
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        return new Awaited(null, "it was not sent within " + registerMillis + " ms");
      }
      wait(left);
    }
  }

  /** Registers the sending end of a stream. */
  synchronized StreamSink open(String run, int stream, int to, long length) throws IOException {
    StreamSink sink = new StreamSink(node.getDisplayName(), stream, to, length, timeoutMillis);
    if (sinks.putIfAbsent(new Key(run, stream), sink) != null) {
      throw new IOException("bad request: stream " + stream + " is sent already");
    }
    notifyAll();
    return sink;
  }

  /**
   * Forgets a stream; a receiver that asks for it later gets the reason why its run failed, if it
   * did.
   */
  synchronized void remove(String run, int stream) {
    sinks.remove(new Key(run, stream));
  }

  /** Records why a user's run failed on this worker, for receivers that connect late. */
  synchronized void failed(String user, String run, String reason) {
    failures.add(user, run, reason);
    notifyAll();
  }

  /** Forgets an earlier failure of a user's run on this worker. */
  synchronized void started(String user, String run) {
    failures.forget(user, run);
  }

  @Override
  public void close() throws IOException {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    listener.close();
    waiting.all().forEach(StreamServer::closeQuietly);
  }

  /** Closes a connection; a thread that reads from it stops. */
  static void closeQuietly(Socket socket) {
    try {
      StreamClient.close(socket);
    } catch (IOException e) {
      LOG.debug("closing {} failed", socket, e);
    }
  }
}
