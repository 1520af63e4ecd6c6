package org.braid.hdfs.coordinator.session;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import org.braid.hdfs.rpc.Rpc;

/** Replicas that a worker found to be bad, whatever the NameNode says. Thread-safe. */
public final class BadReplicas {
  private record At(long block, String node) {}

  private final Set<At> known = new HashSet<>();

  /** Notes that the replica of a block at a DataNode is bad. */
  public synchronized void add(long blockId, String uuid) {
    known.add(new At(blockId, uuid));
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
    return known.contains(new At(blockId, uuid));
  }
}
