package org.apache.hadoop.hdfs.server.datanode;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.util.Time;

/**
 * Has a DataNode tell its NameNodes that it lives, and hear what it is to do, or not. It is in
 * HDFS's package as only that may tell the threads of a node when the next heartbeat is due: a node
 * that merely may not send it looks again at once, forever.
 */
public final class NodeHeartbeats {
  private static final long NEVER = TimeUnit.DAYS.toMillis(1);
  private static final int LOOKS = 10;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private NodeHeartbeats() {}

  /** Sends no heartbeats from now on, or does so again. */
  public static void set(DataNode node, boolean on) {
    node.setHeartbeatsDisabledForTests(!on);
    for (BPOfferService pool : node.getAllBpOs()) {
      for (BPServiceActor thread : pool.getBPServiceActors()) {
        long next = Time.monotonicNow() + (on ? 0 : NEVER);
        thread.getScheduler().nextHeartbeatTime = next;
        wake(thread);
        // It may have been about to wait for the time that was set before.
        for (int i = 0; on && i < LOOKS && thread.getScheduler().nextHeartbeatTime == next; i++) {
          LockSupport.parkNanos(LOOK_NANOS);
          wake(thread);
        }
      }
    }
  }

  private static void wake(BPServiceActor thread) {
    synchronized (thread.getIbrManager()) {
      thread.getIbrManager().notifyAll();
    }
  }
}
