package org.braid.hdfs.coordinator.view;

import java.util.ArrayList;
import java.util.List;
import org.braid.code.ErasureCode;
import org.braid.hdfs.api.view.Health;
import org.braid.hdfs.api.view.Health.Cause;
import org.braid.hdfs.api.view.Health.Word;
import org.braid.hdfs.coordinator.session.BadReplicas;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.Members;
import org.braid.hdfs.proto.BraidProtos.CoordinationProto;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripeStatus;

/** The health of a cluster and of the stripes that are added, each once. */
final class HealthTally {
  /** With so many damaged stripes it is known how bad things are; fsck counts all. */
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
  private int unusable;
  private int unreadable;

  HealthTally(ClusterState state) {
    this.state = state;
  }

  /** Whether further stripes would tell nothing new. */
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
                    i < code.k() && state.readableByClients(status.member(i).status()).length == 0);
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

  /** Repair is paused until a moment. */
  void setPaused(String until) {
    paused = until;
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
   * @param stripes whether there are any at all
   * @param undescribed parity files whose description cannot be read
   */
  Health health(boolean stripes, int undescribed) {
    List<Cause> causes = new ArrayList<>();
    count(
        causes,
        Word.LOST,
        lost,
        "%s with blocks that can neither be read nor rebuilt now: bring"
            + " their DataNodes back; braid fsck --list names them",
        "stripe");
    count(
        causes,
        Word.LOST,
        unreadable,
        "%s of replicated files without a copy that can be read: bring its DataNodes back",
        "block");
    count(
        causes,
        Word.AT_RISK,
        atRisk,
        "%s with lost blocks and no spare one: run braid repair",
        "stripe");
    count(
        causes,
        Word.AT_RISK,
        undescribed + unusable,
        "%s that this release cannot read: braid fsck names the parity files",
        "stripe");
    count(
        causes,
        Word.DEGRADED,
        lacking,
        "%s with lost blocks and spare ones left: braid repair rebuilds them, braid daemon after"
            + " braid.repair.delay",
        "stripe");
    count(
        causes,
        Word.DEGRADED,
        misplaced,
        "%s with blocks in wrong places, or on nodes that leave: run braid repair",
        "stripe");
    if (thinned > 0) {
      causes.add(
          new Cause(
              Word.DEGRADED,
              "%s with blocks that were deleted or changed since: braid daemon or braid repair"
                      .formatted(thinned + (thinned == 1 ? " stripe" : " stripes"))
                  + " encodes the others anew, which have copies until then"));
    }
    nodes(causes);
    if (!paused.isEmpty()) {
      causes.add(
          new Cause(
              Word.DEGRADED,
              "repair is paused until " + paused + ": what is lost is not rebuilt until then"));
    }
    if (state.safeMode()) {
      causes.add(
          new Cause(
              Word.DEGRADED,
              "the NameNode is in safe mode: nothing is converted, repaired or restored until it leaves,"
                  + " and damage is not known; hdfs dfsadmin -safemode get says more"));
    }
    CoordinationProto now = state.coordination();
    if (stripes && now.getCoordinator().isEmpty()) {
      causes.add(
          new Cause(
              Word.DEGRADED,
              "no daemon runs: what is lost is not rebuilt by itself; start braid daemon"));
    }
    count(causes, Word.DEGRADED, now.getWaiting(), "%s of clients waiting for lost blocks", "call");
    return Health.of(causes);
  }

  private void nodes(List<Cause> causes) {
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
    count(causes, Word.DEGRADED, dead, "%s dead", "DataNode");
    count(causes, Word.DEGRADED, silent, "%s not answering", "DataNode");
    count(
        causes,
        Word.DEGRADED,
        plain,
        "%s running without Braid's plugin: braid check says why",
        "DataNode");
  }

  private void count(List<Cause> causes, Word word, int count, String what, String noun) {
    if (count > 0) {
      String counted = count + " " + noun + (count == 1 ? "" : "s");
      causes.add(
          new Cause(
              word,
              what.formatted(noun.equals("stripe") && isFull() ? "at least " + counted : counted)));
    }
  }
}
