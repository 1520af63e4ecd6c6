package org.braid.hdfs.coordinator.repair;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.braid.hdfs.coordinator.session.ClusterState;

/** The source of the stripes of a repair, page by page. */
interface RepairFeed {
  /**
   * The next stripes.
   *
   * @param state the cluster at the last look
   * @param millis how long to wait for them
   * @return empty when there is no page yet, or no more; none of a page may be damaged
   */
  Optional<List<Damaged>> next(ClusterState state, long millis) throws IOException;

  /** Whether all stripes were returned. */
  boolean ended();
}
