package org.braid.hdfs.coordinator;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.braid.hdfs.api.RepairReport.PlanView;
import org.braid.hdfs.api.RepairReport.Repaired;
import org.braid.hdfs.coordinator.Stripes.BadReplicas;
import org.braid.hdfs.proto.BraidProtos.StripeStatusProto;
import org.braid.plan.RepairPlanner;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rebuilds the lost blocks of one stripe in one plan, moves those whose one copy stands where the
 * stripe's limits forbid it, verifies what is new and names the homes.
 */
final class StripeRepair {
  private static final Logger LOG = LoggerFactory.getLogger(StripeRepair.class);
  private static final int ATTEMPTS = 4;

  private final Session session;
  private final RepairPlanner planner;
  private final BadReplicas bad;
  private final RepairAttempts attempts;
  private final RepairRun runs;

  /**
   * A repair.
   *
   * @param silentUntil by {@link System#nanoTime}, how long silent nodes are waited for when there
   *     is no place without them
   * @param watch notes the steps
   */
  StripeRepair(
      Session session,
      RepairPlanner planner,
      TrafficMeter traffic,
      BadReplicas bad,
      long silentUntil,
      Stopwatch watch) {
    this.session = session;
    this.planner = planner;
    this.bad = bad;
    attempts = new RepairAttempts(session, bad, silentUntil);
    runs = new RepairRun(session, planner, traffic, bad, watch);
  }

  /**
   * What was rebuilt, and how.
   *
   * @param beyond positions of lost blocks that those left do not determine
   * @param reason why, empty when there are none
   */
  record Done(List<Repaired> repaired, PlanView plan, List<Integer> beyond, String reason) {}

  /** Repairs a stripe; helpers that fail are left out and the plan is made anew. */
  Done repair(StripeStatusProto first, SplittableRandom random) throws IOException {
    try (Claims.Claim claim = session.claims().take(first.getStripe().getId())) {
      return repairClaimed(claim.waited() ? session.nameNode().refreshed(first) : first, random);
    }
  }

  /**
   * Repairs a stripe as it was scheduled.
   *
   * @throws AttemptFailed when that did not go well; it may be scheduled anew
   */
  Done repair(StripeStatusProto first, Preference preference) throws IOException {
    try (Claims.Claim unused = session.claims().take(first.getStripe().getId())) {
      // It waited for its turn, and others may have been at work.
      StripeStatusProto status = session.nameNode().refreshed(first);
      ClusterState state = session.sight().lately();
      Members members = Members.of(status, state, bad);
      RepairAttempts.requireAny(status.getStripe(), members);
      if (!members.damaged()) {
        return new Done(List.of(), PlanViews.none(status.getStripe(), planner), List.of(), "");
      }
      RepairAttempt attempt = attempts.scheduled(status, state, members, preference);
      try {
        return run(attempt);
      } catch (PlanRun.PlanFailed e) {
        Set<Integer> helpers = attempts.learn(attempt, e);
        throw new AttemptFailed(String.valueOf(e.getMessage()), e, helpers, attempts.avoided());
      }
    }
  }

  private Done repairClaimed(StripeStatusProto first, SplittableRandom random) throws IOException {
    StripeStatusProto status = first;
    IOException failure = new IOException("nothing was tried");
    for (int i = 0; i < ATTEMPTS; i++) {
      RepairAttempt attempt = attempts.prepare(status, random);
      if (attempt.rootOf().isEmpty()) {
        PlanView none = PlanViews.none(status.getStripe(), planner);
        return new Done(List.of(), none, attempt.beyond(), attempt.reason());
      }
      try {
        return run(attempt);
      } catch (PlanRun.PlanFailed e) {
        LOG.warn("attempt {} at stripe {}: {}", i + 1, status.getStripe().getId(), e.getMessage());
        attempts.learn(attempt, e);
        failure = e;
      }
      status = session.nameNode().refreshed(status);
    }
    throw new IOException(
        ATTEMPTS + " attempts failed, the last: " + failure.getMessage(), failure);
  }

  private Done run(RepairAttempt attempt) throws IOException {
    RepairRun.Done done = runs.run(attempt);
    return new Done(done.repaired(), done.plan(), attempt.beyond(), attempt.reason());
  }
}
