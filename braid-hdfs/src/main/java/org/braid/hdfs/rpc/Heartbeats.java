package org.braid.hdfs.rpc;

import org.apache.hadoop.conf.Configuration;

/** What the two ends of the workers' heartbeats agree on. */
public final class Heartbeats {
  /**
   * Property of NameNodes and DataNodes: the UDP port that heartbeats are sent to; 0, the default,
   * for the number of the NameNode's RPC port, negative for no heartbeats.
   */
  public static final String PORT_KEY = "braid.heartbeat.port";

  /** How often a worker sends one. */
  public static final long INTERVAL_MILLIS = 500;

  /** Bytes of a heartbeat at most. */
  public static final int LARGEST = 1024;

  private Heartbeats() {}

  /** Whether there are any. */
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
