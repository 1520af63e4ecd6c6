package org.braid.hdfs.rpc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.datatransfer.IOStreamPair;
import org.apache.hadoop.hdfs.protocol.datatransfer.InvalidEncryptionKeyException;
import org.apache.hadoop.net.NetUtils;
import org.braid.engine.SliceSource;
import org.braid.hdfs.proto.BraidProtos.StreamRequestProto;

/** Connects the receiving end of a stream to the worker that sends it. */
public final class StreamClient {
  /** Property: milliseconds without any progress after which a stream fails. */
  public static final String TIMEOUT_KEY = "braid.worker.stream.timeout";

  /** Default of {@link #TIMEOUT_KEY}. */
  public static final int TIMEOUT_DEFAULT = 60_000;

  private static final int CONNECT_MILLIS = 5000;

  /** A sender that gives up tells why; its receiver must still listen then. */
  private static final int GRACE_MILLIS = 5000;

  private StreamClient() {}

  /** Closes a connection; a thread that reads from it stops. */
  public static void close(Socket socket) throws IOException {
    try {
      // To close alone wakes no thread: Hadoop's sockets wait in a selector.
      socket.shutdownInput();
    } catch (IOException e) {
      // It is not connected, or closed already.
    } finally {
      socket.close();
    }
  }

  /**
   * Connects to a stream. Waits for the sender's answer only at the first read, so that opening
   * never depends on another worker's progress.
   *
   * @param host address of the sending worker
   * @param port its stream port
   * @param run the run's secret name
   * @param stream the stream's number in the plan
   * @param length bytes of the stream
   * @throws IOException when the worker is unreachable
   */
  public static SliceSource open(
      Configuration conf,
      String host,
      int port,
      String run,
      int stream,
      long length,
      StreamSecurity security)
      throws IOException {
    try {
      return connect(conf, host, port, run, stream, length, security);
    } catch (StreamException e) {
      if (e.getCause() instanceof InvalidEncryptionKeyException) {
        return connect(conf, host, port, run, stream, length, security); // with another key
      }
      throw e;
    }
  }

  private static SliceSource connect(
      Configuration conf,
      String host,
      int port,
      String run,
      int stream,
      long length,
      StreamSecurity security)
      throws IOException {
    String from = host + ":" + port;
    long wanted = (long) conf.getInt(TIMEOUT_KEY, TIMEOUT_DEFAULT) + GRACE_MILLIS;
    int timeout = (int) Math.min(Integer.MAX_VALUE, wanted);
    Socket socket = NetUtils.getDefaultSocketFactory(conf).createSocket();
    boolean done = false;
    try {
      NetUtils.connect(socket, new InetSocketAddress(host, port), CONNECT_MILLIS);
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(timeout);
      OutputStream out = NetUtils.getOutputStream(socket, timeout);
      InputStream in = NetUtils.getInputStream(socket, timeout);
      IOStreamPair secured = security.secure(socket, out, in);
      StreamRequestProto.newBuilder()
          .setRun(run)
          .setStream(stream)
          .build()
          .writeDelimitedTo(secured.out);
      secured.out.flush();
      SliceSource source = new StreamSource(socket, secured.in, from, stream, length);
      done = true;
      return source;
    } catch (IOException e) {
      throw new StreamException(
          "cannot connect to stream " + stream + " of " + from + ": " + e.getMessage(), e);
    } finally {
      if (!done) {
        socket.close();
      }
    }
  }
}
