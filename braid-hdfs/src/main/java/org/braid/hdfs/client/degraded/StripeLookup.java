package org.braid.hdfs.client.degraded;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.StripeStatus;

/** What readers ask about stripes and about the cluster that holds them. */
public interface StripeLookup {
  /**
   * The cluster as it was a moment ago.
   *
   * @param byUuid the DataNodes by UUID
   * @param callerRack where this client is; empty when that is unknown
   */
  record Cluster(Map<String, Datanode> byUuid, Optional<String> callerRack) {}

  /**
   * The stripes that hold blocks of a file; none where the NameNode does not know Braid.
   *
   * @param path a file that the caller may read and that owns the blocks
   * @param blockPool the blocks' pool
   */
  List<StripeStatus> stripes(String path, String blockPool, List<Long> blockIds) throws IOException;

  /**
   * The cluster that has a block pool, a minute old at most.
   *
   * @param uuids of nodes that are read from, which are told of as they were a second ago at most
   */
  Cluster cluster(String blockPool, Collection<String> uuids) throws IOException;
}
