package org.apache.hadoop.hdfs.server.datanode;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.util.Time;

/**
 * Has a DataNode tell its NameNodes that it lives, and hear what it is to do, or not. It is in
 * HDFS's package as only that may tell the threads of a node when the next heartbeat is due: a node
 * that merely may not send it looks again at once, forever.
 */
public final class NodeHeartbeats {
  private static final long NEVER = TimeUnit.DAYS.toMillis(1);

  private NodeHeartbeats() {}

  /** Sends no heartbeats from now on, or does so again. */
  public static void set(DataNode node, boolean on) {
    node.setHeartbeatsDisabledForTests(!on);
    for (BPOfferService pool : node.getAllBpOs()) {
      for (BPServiceActor thread : pool.getBPServiceActors()) {
        synchronized (thread.getIbrManager()) {
          thread.getScheduler().nextHeartbeatTime = Time.monotonicNow() + (on ? 0 : NEVER);
          thread.getIbrManager().notifyAll();
        }
      }
    }
  }
}
