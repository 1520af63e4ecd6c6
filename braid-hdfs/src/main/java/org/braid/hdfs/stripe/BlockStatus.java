package org.braid.hdfs.stripe;

import java.util.List;

/**
 * What the NameNode knows of a block now.
 *
 * @param replicas its replicas, without those that are to be deleted
 * @param expected the replication that the NameNode aims at, in memory
 * @param complete whether nobody writes it any more
 * @param going UUIDs of DataNodes whose copy is scheduled for deletion: it counts no more, and a
 *     new copy there would be taken for it
 */
public record BlockStatus(
    BlockIdentity block,
    List<Replica> replicas,
    int expected,
    boolean complete,
    List<String> going) {
  /** Of a block that is in no file. */
  static final BlockStatus NONE =
      new BlockStatus(new BlockIdentity(0, 0, 0), List.of(), 0, false, List.of());

  public BlockStatus {
    replicas = List.copyOf(replicas);
    going = List.copyOf(going);
  }

  /** Whether it has replicas, but none on the type of storage that a policy wants for one. */
  public boolean isElsewhere(StoragePolicy policy) {
    List<Replica> live = replicas.stream().filter(Replica::live).toList();
    return !live.isEmpty()
        && live.stream().noneMatch(replica -> replica.storage().equals(policy.type()));
  }

  /** Whether a node has a replica, good or not, or is about to delete one: it takes no copy. */
  public boolean isTiedTo(String node) {
    return going.contains(node) || replicas.stream().anyMatch(r -> r.node().equals(node));
  }
}
