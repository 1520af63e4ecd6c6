package org.braid.hdfs.stripe;

import java.util.List;

/**
 * The NameNode's present knowledge of a block.
 *
 * @param replicas replicas, without those scheduled for deletion
 * @param expected number of replicas that the NameNode aims at, in memory
 * @param complete whether no client writes the block any more
 * @param going UUIDs of DataNodes whose replica is scheduled for deletion: such a replica does not
 *     count, and HDFS would confuse it with a new one there
 */
public record BlockStatus(
    BlockIdentity block,
    List<Replica> replicas,
    int expected,
    boolean complete,
    List<String> going) {
  /** The status of a block in no file. */
  static final BlockStatus NONE =
      new BlockStatus(new BlockIdentity(0, 0, 0), List.of(), 0, false, List.of());

  public BlockStatus {
    replicas = List.copyOf(replicas);
    going = List.copyOf(going);
  }

  /** Whether it has live replicas, but none on the storage type that the policy wants. */
  public boolean isElsewhere(StoragePolicy policy) {
    List<Replica> live = replicas.stream().filter(Replica::live).toList();
    return !live.isEmpty()
        && live.stream().noneMatch(replica -> replica.storage().equals(policy.type()));
  }

  /**
   * Whether a node has a replica, good or bad, or is about to delete one, so that it can take no
   * new replica.
   */
  public boolean isTiedTo(String node) {
    return going.contains(node) || replicas.stream().anyMatch(r -> r.node().equals(node));
  }
}
