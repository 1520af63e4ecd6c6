package org.braid.hdfs.client.degraded;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.StripeStatus;

/** Readers' look-ups of stripes and of the cluster that holds them. */
public interface StripeLookup {
  /**
   * A recent view of the cluster.
   *
   * @param byUuid the DataNodes by UUID
   * @param callerRack this client's rack; empty when it is unknown
   */
  record Cluster(Map<String, Datanode> byUuid, Optional<String> callerRack) {}

  /**
   * The stripes that hold blocks of a file; empty if the NameNode does not know Braid.
   *
   * @param path a file that the caller may read and that owns the blocks
   * @param blockPool the blocks' pool
   */
  List<StripeStatus> stripes(String path, String blockPool, List<Long> blockIds) throws IOException;

  /**
   * The cluster with a block pool, at most a minute old.
   *
   * @param uuids nodes to read from, whose state is at most a second old
   */
  Cluster cluster(String blockPool, Collection<String> uuids) throws IOException;
}
