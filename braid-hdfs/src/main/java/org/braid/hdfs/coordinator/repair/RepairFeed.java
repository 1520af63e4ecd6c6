package org.braid.hdfs.coordinator.repair;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.braid.hdfs.coordinator.session.ClusterState;

/** Where the stripes come from, some at a time. */
interface RepairFeed {
  /**
   * The next ones.
   *
   * @param state the cluster as it was seen last
   * @param millis for how long they are waited for
   * @return empty when there is no page yet, or no more; none of a page may be damaged
   */
  Optional<List<Damaged>> next(ClusterState state, long millis) throws IOException;

  /** Whether there are no more. */
  boolean ended();
}
