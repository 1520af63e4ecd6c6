package org.braid.hdfs.coordinator.repair;

import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.plan.manage.RepairFailure;
import org.braid.plan.manage.RepairJob;
import org.braid.plan.schedule.LostStripe;

/** The next step for a stripe for which the repair manager finds no place. */
enum NextTry {
  /** Rebuild its lost blocks at once; misplaced blocks stay where they are. */
  WITHOUT_MOVES,
  /** It is looked at and scheduled again in a moment. */
  LATER,
  /**
   * Blocks whose nodes have bad copies in their way are rebuilt elsewhere, and go back from there.
   */
  STAND_IN,
  /** It is given up. */
  NEVER;

  /** Time to wait for nodes that are about to delete a surplus or a bad copy. */
  static final long DELETING_MILLIS = 20_000;

  /** Most attempts to rebuild a stripe's blocks at stand-ins. */
  static final int MOST_STAND_INS = 3;

  /**
   * Decides. A node can take a new copy only after it deleted a surplus or bad one, and nodes that
   * just fell silent may answer again.
   *
   * @param refused the stripe as the manager knew it
   * @param damaged the same stripe at the last look
   * @param waited milliseconds since its first refusal, or since blocks were put on stand-ins
   * @param silentLeft milliseconds for which silent nodes are still waited for
   * @param stoodIn how often stand-ins were tried
   */
  static NextTry of(
      LostStripe refused,
      Damaged damaged,
      ClusterState state,
      long waited,
      long silentLeft,
      int stoodIn) {
    if (!refused.lost().isEmpty() && !refused.moved().isEmpty()) {
      return WITHOUT_MOVES; // to have lost blocks back comes first
    }
    boolean going = damaged.hasGoing() || !damaged.keptFromHome().isEmpty();
    boolean deleting = going && waited < DELETING_MILLIS;
    boolean returning = silentLeft > 0 && (state.hasSilent() || damaged.mayReturn(state));
    if (deleting || returning) {
      return LATER;
    }
    boolean blocked =
        refused.notes().standIns().isEmpty()
            && stoodIn < MOST_STAND_INS
            && !damaged.blocked(state).isEmpty();
    return blocked ? STAND_IN : NEVER;
  }

  /**
   * Whether a stripe with too few available blocks is looked at again. Blocks may only seem lost: a
   * busy host does not answer for a moment, and a restarted NameNode does not count all copies yet.
   *
   * @param silentLeft milliseconds for which silent nodes are still waited for
   */
  static boolean isAwaited(Damaged damaged, ClusterState state, long silentLeft) {
    return silentLeft > 0 && (damaged.isMomentary(state) || damaged.mayReturn(state));
  }

  /**
   * Whether a failed repair is scheduled again.
   *
   * @param overdue whether it was stopped because it took too long
   * @return what the next schedule avoids; empty when the stripe is given up
   */
  static Optional<RepairFailure> after(
      RepairJob job, Throwable failure, boolean overdue, boolean awaited) {
    if (overdue && failure instanceof IOException) {
      return Optional.of(
          new RepairFailure(
              job.repair().helpers(),
              Set.copyOf(job.repair().destinations().values()),
              "it took more than %d ms".formatted(job.deadline() - job.startedAt())));
    }
    if (failure instanceof AttemptFailed attempt) {
      return Optional.of(attempt.failure());
    }
    return isPassing(failure, awaited)
        ? Optional.of(new RepairFailure(Set.of(), Set.of(), String.valueOf(failure.getMessage())))
        : Optional.empty();
  }

  /** Whether a failed repair may succeed when it is tried again. */
  static boolean isPassing(Throwable failure, boolean awaited) {
    return failure instanceof AttemptFailed
        || (awaited && failure instanceof IOException && !(failure instanceof RefusedException));
  }
}
