package org.braid.hdfs.stripe;

/**
 * A replica of a block as the NameNode knows it.
 *
 * @param node UUID of the DataNode
 * @param stale whether its storage has not reported since a failover or restart
 * @param corrupt whether it was reported corrupt
 * @param live whether the NameNode believes the node alive and the storage healthy
 * @param storage the type of its storage
 */
public record Replica(String node, boolean stale, boolean corrupt, boolean live, String storage) {
  /** A replica on an ordinary disk. */
  public Replica(String node, boolean stale, boolean corrupt, boolean live) {
    this(node, stale, corrupt, live, StoragePolicy.DISK);
  }

  /** Whether it counts as a replica: it exists, and is not known to be bad. */
  public boolean isGood() {
    return live && !corrupt;
  }
}
