package org.braid.hdfs.coordinator.repair;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.braid.hdfs.api.RepairReport.Repaired;
import org.braid.plan.manage.RepairFailure;
import org.jspecify.annotations.Nullable;

/** A repair that failed and may succeed when it is scheduled anew. */
final class AttemptFailed extends IOException {
  private static final long serialVersionUID = 1L;
  private final transient RepairFailure failure;
  private final transient List<Repaired> repaired;

  AttemptFailed(RepairFailure failure, @Nullable Throwable cause) {
    this(failure, List.of(), cause);
  }

  /**
   * An attempt that failed although some blocks are rebuilt, verified and at home.
   *
   * @param repaired the blocks at home
   */
  AttemptFailed(RepairFailure failure, List<Repaired> repaired, @Nullable Throwable cause) {
    super(failure.reason(), cause);
    this.failure = failure;
    this.repaired = repaired;
  }

  /** The stripe changed since the repair was scheduled. */
  AttemptFailed(String reason, Set<Integer> destinations) {
    this(new RepairFailure(Set.of(), destinations, reason), null);
  }

  /** The blocks that were repaired all the same. */
  List<Repaired> repaired() {
    return repaired;
  }

  /**
   * What the next schedule avoids: helpers by their positions, destinations by the repair manager's
   * numbers of nodes.
   */
  RepairFailure failure() {
    return failure;
  }
}
