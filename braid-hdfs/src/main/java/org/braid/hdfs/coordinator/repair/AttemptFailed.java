package org.braid.hdfs.coordinator.repair;

import java.io.IOException;
import java.util.Set;
import org.braid.plan.manage.RepairFailure;
import org.jspecify.annotations.Nullable;

/** A repair that failed as it was scheduled, and may succeed when it is scheduled anew. */
final class AttemptFailed extends IOException {
  private static final long serialVersionUID = 1L;
  private final transient RepairFailure failure;

  AttemptFailed(RepairFailure failure, @Nullable Throwable cause) {
    super(failure.reason(), cause);
    this.failure = failure;
  }

  /** The stripe is not as it was when it was scheduled. */
  AttemptFailed(String reason, Set<Integer> destinations) {
    this(new RepairFailure(Set.of(), destinations, reason), null);
  }

  /** What the next schedule avoids, by the repair manager's numbers of nodes. */
  RepairFailure failure() {
    return failure;
  }
}
