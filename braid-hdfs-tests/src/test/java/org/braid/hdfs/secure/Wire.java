package org.braid.hdfs.secure;

import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.SocketFactory;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.braid.code.Gf256;
import org.braid.hdfs.testkit.embedded.EmbeddedCluster;

/**
 * Makes the sockets of HDFS's and Braid's clients in this process and records, when asked to, all
 * bytes that pass through them. Named in {@code hadoop.rpc.socket.factory.class.default}.
 */
public final class Wire extends SocketFactory {
  /** Bytes of a marker: enough to be no chance. */
  static final int MARKER = 16;

  private static final List<Recorded> SOCKETS = new CopyOnWriteArrayList<>();
  private static volatile boolean recording;

  /** Called by Hadoop. */
  public Wire() {}

  private static final class Recorded extends Socket {
    private final ByteArrayOutputStream sent = new ByteArrayOutputStream();
    private final ByteArrayOutputStream came = new ByteArrayOutputStream();

    @Override
    public InputStream getInputStream() throws IOException {
      return new FilterInputStream(super.getInputStream()) {
        @Override
        public int read() throws IOException {
          byte[] one = new byte[1];
          return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int from, int most) throws IOException {
          int count = super.read(into, from, most);
          record(came, into, from, count);
          return count;
        }
      };
    }

    @Override
    public OutputStream getOutputStream() throws IOException {
      return new FilterOutputStream(super.getOutputStream()) {
        @Override
        public void write(int one) throws IOException {
          write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
          out.write(bytes, from, count);
          record(sent, bytes, from, count);
        }
      };
    }

    private static void record(ByteArrayOutputStream to, byte[] bytes, int from, int count) {
      if (recording && count > 0) {
        synchronized (to) {
          to.write(bytes, from, count);
        }
      }
    }

    private static byte[] bytes(ByteArrayOutputStream of) {
      synchronized (of) {
        return of.toByteArray();
      }
    }
  }

  /** Begins to record; what was recorded before is forgotten. */
  static void record() {
    SOCKETS.clear();
    recording = true;
  }

  /** Ends recording and gives what passed each way of each connection, by the server's port. */
  static Map<Integer, List<byte[]>> stop() {
    recording = false;
    Map<Integer, List<byte[]>> all = new TreeMap<>();
    for (Recorded socket : SOCKETS) {
      List<byte[]> port = all.computeIfAbsent(socket.getPort(), p -> new CopyOnWriteArrayList<>());
      port.add(Recorded.bytes(socket.sent));
      port.add(Recorded.bytes(socket.came));
    }
    return all;
  }

  /** The ports of HDFS's own services on a cluster; at all others are streams of workers. */
  static Set<Integer> portsOfHdfs(EmbeddedCluster hdfs) {
    Set<Integer> ports = new HashSet<>();
    ports.add(hdfs.nameNode().getNameNodeAddress().getPort());
    for (int i = 0; i < hdfs.nodes(); i++) {
      if (hdfs.runs(i)) {
        DataNode node = hdfs.dataNode(i);
        ports.addAll(List.of(node.getIpcPort(), node.getXferPort()));
      }
    }
    return ports;
  }

  /** Whether bytes hold a multiple of a marker: what is sent of a block that repeats it. */
  static boolean shows(byte[] bytes, byte[] marker) {
    Set<Long> starts = new HashSet<>();
    for (int factor = 1; factor < 256; factor++) {
      byte[] multiple = new byte[marker.length];
      for (int i = 0; i < marker.length; i++) {
        multiple[i] = (byte) Gf256.multiply(factor, marker[i] & 0xff);
      }
      starts.add(ByteBuffer.wrap(multiple).getLong());
    }
    ByteBuffer look = ByteBuffer.wrap(bytes);
    for (int at = 0; at + Long.BYTES <= bytes.length; at++) {
      if (starts.contains(look.getLong(at))) {
        return true;
      }
    }
    return false;
  }

  @Override
  public Socket createSocket() {
    Recorded socket = new Recorded();
    if (recording) {
      SOCKETS.add(socket);
    }
    return socket;
  }

  @Override
  public Socket createSocket(String host, int port) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Socket createSocket(InetAddress host, int port) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
    throw new UnsupportedOperationException();
  }
}
