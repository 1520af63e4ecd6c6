package org.braid.hdfs.namenode.host;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;

/**
 * What is known of a block's copies.
 *
 * @param readable copies on nodes that answer
 * @param silent copies on nodes that miss heartbeats
 * @param certain those of the readable ones on storages that were reported in full since this
 *     NameNode became active: before that the other one may have told nodes to delete copies, which
 *     it alone knows
 * @param owing nodes that answer, and have yet to report in full
 */
public record KnownCopies(int readable, int silent, int certain, Set<DatanodeDescriptor> owing) {
  /** The copies of which something holds; the lock is held. */
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
