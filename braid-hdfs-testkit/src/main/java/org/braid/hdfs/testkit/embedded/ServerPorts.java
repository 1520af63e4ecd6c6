package org.braid.hdfs.testkit.embedded;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds ports for servers that restart at the same address. The kernel uses a range of ports for
 * outgoing connections; a server's port in this range may be taken when the server starts again.
 */
public final class ServerPorts {
  private static final Path OUTGOING = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
  private static final int OUTGOING_USUAL = 32768;
  private static final int LOWEST = 10_000;
  private static final int TRIES = 1000;

  private ServerPorts() {}

  /**
   * Ports of the loopback address, outside the range of outgoing connections, on which nobody
   * listens.
   *
   * @param count number of ports
   * @throws IOException if so many were not found
   */
  public static List<Integer> free(int count) throws IOException {
    int end = firstOutgoing();
    Set<Integer> found = new LinkedHashSet<>();
    for (int tries = 0; tries < TRIES && found.size() < count; tries++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, end);
      if (isFree(port)) {
        found.add(port);
      }
    }
    if (found.size() < count) {
      throw new IOException(
          "found " + found.size() + " of " + count + " free ports from " + LOWEST + " to " + end);
    }
    return List.copyOf(found);
  }

  private static boolean isFree(int port) throws IOException {
    try (ServerSocket tried = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return tried.isBound();
    } catch (BindException e) {
      return false;
    }
  }

  private static int firstOutgoing() throws IOException {
    if (!Files.isReadable(OUTGOING)) {
      return OUTGOING_USUAL;
    }
    int first = Integer.parseInt(Files.readString(OUTGOING).trim().split("\\s+")[0]);
    // Where outgoing connections may have nearly all ports, there is no better choice.
    return first > 2 * LOWEST ? first : OUTGOING_USUAL;
  }
}
