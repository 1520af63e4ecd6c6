package org.braid.hdfs.rpc;

import org.apache.hadoop.conf.Configuration;

/** The format of the workers' heartbeats, shared by sender and receiver. */
public final class Heartbeats {
  /**
   * Property of NameNodes and DataNodes: the UDP port of heartbeats; 0, the default, means the
   * number of the NameNode's RPC port, a negative value turns heartbeats off.
   */
  public static final String PORT_KEY = "braid.heartbeat.port";

  /** Interval of a worker's heartbeats. */
  public static final long INTERVAL_MILLIS = 500;

  /** Maximum bytes of a heartbeat. */
  public static final int LARGEST = 1024;

  private Heartbeats() {}

  /** Whether heartbeats are on. */
  public static boolean enabled(Configuration conf) {
    return conf.getInt(PORT_KEY, 0) >= 0;
  }

  /**
   * The port of a NameNode.
   *
   * @param rpcPort of its RPC server
   */
  public static int port(Configuration conf, int rpcPort) {
    int port = conf.getInt(PORT_KEY, 0);
    if (port > 65535) {
      throw new IllegalArgumentException(PORT_KEY + " is " + port + ", ports end at 65535");
    }
    return port == 0 ? rpcPort : port;
  }
}
