package org.braid.hdfs.coordinator.session;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.time.Ticker;

/**
 * Replicas that a worker found to be bad, also if the NameNode lists them as good. Each is
 * forgotten after a while, as others may have replaced it without notice; one that is still bad is
 * found again. Thread-safe.
 */
public final class BadReplicas {
  /** How long a replica counts as bad. */
  static final long KNOWN_MILLIS = 600_000;

  private record At(long block, String node) {}

  /** The time at which each one is forgotten, by the ticker. */
  private final Map<At, Long> known = new HashMap<>();

  private final Ticker ticker;

  public BadReplicas() {
    this(Ticker.SYSTEM);
  }

  /** Creates one with another clock. */
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
   * Notes the failure of reading a replica. The replica is bad if its worker found it so; a worker
   * that is unreachable, busy or stopping says nothing about it.
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

  /** Notes that a new replica, which was read back, has replaced the bad one. */
  public synchronized void remove(long blockId, String uuid) {
    known.remove(new At(blockId, uuid));
  }

  /** Whether the replica of a block at a DataNode is known to be bad. */
  public synchronized boolean contains(long blockId, String uuid) {
    return known.getOrDefault(new At(blockId, uuid), Long.MIN_VALUE) > ticker.millis();
  }
}
