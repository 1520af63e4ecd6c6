package org.braid.hdfs.namenode.host;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;

/**
 * Counts of a block's replicas.
 *
 * @param readable replicas on nodes that answer
 * @param silent replicas on nodes that miss heartbeats
 * @param certain readable replicas on storages that sent a full block report since this NameNode
 *     became active; before that report, nodes may still delete replicas that the previous active
 *     NameNode told them to delete
 * @param owing nodes that answer, but have not sent a full block report yet
 */
public record KnownCopies(int readable, int silent, int certain, Set<DatanodeDescriptor> owing) {
  /** Counts the replicas that match a predicate; the lock is held. */
  public static KnownCopies of(NameNodeHost host, BlockInfo block, Predicate<ReplicaView> which) {
    int readable = 0;
    int silent = 0;
    Set<DatanodeDescriptor> owing = new HashSet<>();
    int uncertain = 0;
    for (ReplicaView replica : ReplicaView.of(host.blocks(), block)) {
      if (!which.test(replica)) {
        continue;
      }
      if (replica.suspect(host)) {
        silent++;
        continue;
      }
      readable++;
      if (replica.stale()) {
        uncertain++;
        owing.add(replica.node());
      }
    }
    return new KnownCopies(readable, silent, readable - uncertain, owing);
  }
}
