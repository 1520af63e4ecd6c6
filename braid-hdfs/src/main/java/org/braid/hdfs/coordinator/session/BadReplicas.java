package org.braid.hdfs.coordinator.session;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.time.Ticker;

/**
 * Replicas that a worker found to be bad, whatever the NameNode says. Others may mend them, and do
 * not say so: each is forgotten after a while, and found anew where it is bad still. Thread-safe.
 */
public final class BadReplicas {
  /** So long a replica is taken for bad. */
  static final long KNOWN_MILLIS = 600_000;

  private record At(long block, String node) {}

  /** Until when, by the ticker. */
  private final Map<At, Long> known = new HashMap<>();

  private final Ticker ticker;

  public BadReplicas() {
    this(Ticker.SYSTEM);
  }

  /** The same by another clock. */
  BadReplicas(Ticker ticker) {
    this.ticker = ticker;
  }

  /** Notes that the replica of a block at a DataNode is bad. */
  public synchronized void add(long blockId, String uuid) {
    long now = ticker.millis();
    known.values().removeIf(until -> until <= now);
    known.put(new At(blockId, uuid), now + KNOWN_MILLIS);
  }

  /**
   * Notes what came of reading a replica of a block at a DataNode, which has failed: it is bad if
   * its worker has found it so. One that was not reached, is busy or stops says nothing of it.
   *
   * @return whether it is bad
   */
  public boolean found(long blockId, String uuid, IOException failure) {
    boolean bad = Rpc.isFinding(failure);
    if (bad) {
      add(blockId, uuid);
    }
    return bad;
  }

  /** Notes that another replica of a block, which was read back, has taken the bad one's place. */
  public synchronized void remove(long blockId, String uuid) {
    known.remove(new At(blockId, uuid));
  }

  /** Whether the replica of a block at a DataNode is known to be bad. */
  public synchronized boolean contains(long blockId, String uuid) {
    return known.getOrDefault(new At(blockId, uuid), Long.MIN_VALUE) > ticker.millis();
  }
}
