package org.braid.hdfs.coordinator.view;

import java.time.Instant;
import org.braid.code.ErasureCode;
import org.braid.hdfs.api.view.Health;
import org.braid.hdfs.api.view.HealthCounts;
import org.braid.hdfs.coordinator.session.BadReplicas;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.Members;
import org.braid.hdfs.policy.Moments;
import org.braid.hdfs.proto.BraidProtos.CoordinationProto;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripeStatus;

/** The health of a cluster and of the stripes that are added, each once. */
final class HealthTally {
  /** Number of damaged stripes at which counting stops; fsck counts all. */
  static final int MOST_STRIPES = 10_000;

  private final ClusterState state;
  private final Spares spares = new Spares();
  private int damaged;
  private int lost;
  private int atRisk;
  private int lacking;
  private int misplaced;
  private long thinned;
  private String paused = "";
  private long unusable;
  private int unreadable;

  HealthTally(ClusterState state) {
    this.state = state;
  }

  /** Whether further stripes would not change the result. */
  boolean isFull() {
    return damaged >= MOST_STRIPES;
  }

  /** Adds stripes; those that nothing needs do not count. */
  void add(Iterable<StripeStatus> stripes) {
    if (!state.safeMode()) { // DataNodes have yet to report
      stripes.forEach(this::add);
    }
  }

  private void add(StripeStatus status) {
    Stripe stripe = status.stripe();
    if (!stripe.isSupported()) {
      unusable++;
      return;
    }
    if (!status.isNeeded()) {
      return;
    }
    if (status.hasLostData() && !status.data().stream().allMatch(MemberStatus::isReplicated)) {
      thinned++;
    }
    ErasureCode code = stripe.code();
    Members members = Members.of(status, state, new BadReplicas());
    if (!members.damaged()) {
      return;
    }
    damaged++;
    boolean beyond =
        members.beyond(code).stream()
            .anyMatch(
                i ->
                    i < code.k()
                        && !status.member(i).reencoded() // a later stripe says whether it is lost
                        && state.readableByClients(status.member(i).status()).length == 0);
    if (beyond) {
      lost++;
    } else if (members.lost().isEmpty()) {
      misplaced++;
    } else if (spares.of(code, members) <= 0) {
      atRisk++;
    } else {
      lacking++;
    }
  }

  /** Sets how many stripes lost blocks to deletions and changes, of those that were not added. */
  void setThinned(long stripes) {
    thinned = stripes;
  }

  /**
   * Sets the number of all stripes with a code that is unknown here. The list of damaged stripes
   * contains only those of them with a lost block.
   */
  void setUnusable(long stripes) {
    unusable = Math.max(unusable, stripes); // an older program knows fewer codes
  }

  /** Notes that repair is paused until a moment. */
  void setPaused(Instant until) {
    paused = Moments.words(Moments.until(until));
  }

  /** Adds a block of a file that is in no stripe. */
  void addReplicated(BlockStatus block) {
    if (block.complete()
        && !state.safeMode()
        && state.readable(block).length == 0
        && state.readableByClients(block).length == 0) {
      unreadable++;
    }
  }

  /**
   * The health.
   *
   * @param stripes whether there are any stripes
   * @param undescribed parity files whose description cannot be read
   */
  Health health(boolean stripes, int undescribed) {
    CoordinationProto now = state.coordination();
    return new HealthCounts(
            new HealthCounts.Stripes(
                lost, atRisk, undescribed + unusable, lacking, misplaced, thinned, !isFull()),
            unreadable,
            nodes(),
            new HealthCounts.Service(
                state.safeMode(),
                paused,
                stripes && now.getCoordinator().isEmpty(),
                now.getWaiting()))
        .health();
  }

  private HealthCounts.Nodes nodes() {
    int dead = 0;
    int silent = 0;
    int plain = 0;
    for (int i = 0; i < state.nodes().size(); i++) {
      if (state.lacksPlugin(i)) {
        plain++;
      } else if (state.isInService(i) && !state.node(i).live()) {
        dead++;
      } else if (state.node(i).live() && !state.answers(i)) {
        silent++;
      }
    }
    return new HealthCounts.Nodes(dead, silent, plain);
  }
}
