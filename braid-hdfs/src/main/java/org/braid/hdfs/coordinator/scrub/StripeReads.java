package org.braid.hdfs.coordinator.scrub;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.braid.hdfs.api.ScrubReport.Unchecked;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.Replica;
import org.braid.hdfs.stripe.StripeStatus;

/**
 * The replicas of a stripe to read.
 *
 * @param reads replicas that the NameNode counts, and homes at which it knows no replica
 * @param unchecked replicas that the NameNode counts and that cannot be read now, and lost blocks,
 *     which have no replica that counts
 * @param lost number of {@code unchecked} that are lost blocks
 */
record StripeReads(List<Read> reads, List<Unchecked> unchecked, int lost) {
  /** Why a replica is read at a node. */
  enum Why {
    /** The NameNode lists a replica there. */
    LISTED,
    /** The stripe says that the one copy is there, and the NameNode knows of none. */
    HOME
  }

  /**
   * A node that is asked for a block.
   *
   * @param position of the block in the stripe
   * @param node of the cluster
   */
  record Read(StripeStatus status, int position, int node, Why why) {
    Member member() {
      return status.stripe().member(position);
    }

    MemberStatus now() {
      return status.member(position);
    }
  }

  static StripeReads of(StripeStatus status, ClusterState state) {
    List<Read> reads = new ArrayList<>();
    List<Unchecked> unchecked = new ArrayList<>();
    int lost = 0;
    for (int i = 0; i < status.stripe().size(); i++) {
      if (isHeld(status, i)) {
        lost += add(status, i, state, reads, unchecked) ? 1 : 0;
      }
    }
    return new StripeReads(reads, unchecked, lost);
  }

  /**
   * Whether a position has a block that this stripe protects: not zeros, deleted, changed, being
   * written, or in a later stripe.
   */
  static boolean isHeld(StripeStatus status, int position) {
    MemberStatus now = status.member(position);
    return !status.stripe().isVirtual(position)
        && !now.gone()
        && !now.reencoded()
        && now.status().complete();
  }

  /** Adds the reads of a block; returns whether the block is lost. */
  private static boolean add(
      StripeStatus status,
      int position,
      ClusterState state,
      List<Read> reads,
      List<Unchecked> unchecked) {
    BlockStatus block = status.member(position).status();
    int before = reads.size() + unchecked.size();
    for (Replica replica : block.replicas()) {
      OptionalInt node = state.indexOf(replica.node());
      if (replica.corrupt() || node.isEmpty()) {
        continue; // known to be bad, or of a node that is gone for good
      }
      if (replica.live() && state.answers(node.getAsInt())) {
        reads.add(new Read(status, position, node.getAsInt(), Why.LISTED));
      } else {
        unchecked.add(
            new Unchecked(
                status.member(position).path(),
                block.block().name(),
                state.name(node.getAsInt()),
                state.answers(node.getAsInt())
                    ? "the NameNode does not count on its disk yet"
                    : state.silence(node.getAsInt())));
      }
    }
    if (block.expected() == 1 && lacksHome(status, position)) {
      OptionalInt home = state.indexOf(status.stripe().member(position).home());
      if (home.isPresent() && state.answers(home.getAsInt())) {
        reads.add(new Read(status, position, home.getAsInt(), Why.HOME));
      }
    }
    boolean lost = reads.size() + unchecked.size() == before && status.isNeeded();
    if (lost) {
      OptionalInt home = state.indexOf(status.stripe().member(position).home());
      unchecked.add(
          new Unchecked(
              status.member(position).path(),
              block.block().name(),
              home.isPresent() ? state.name(home.getAsInt()) : "a node that is gone",
              "it is lost: the NameNode knows of no good copy"));
    }
    return lost;
  }

  /** Whether the NameNode knows of no replica at a block's home, good or bad. */
  private static boolean lacksHome(StripeStatus status, int position) {
    String home = status.stripe().member(position).home();
    BlockStatus block = status.member(position).status();
    return block.replicas().stream().noneMatch(replica -> replica.node().equals(home))
        && !block.going().contains(home);
  }

  /** Whether a read still applies to the current state of its stripe. */
  static boolean isValid(Read read, StripeStatus now, ClusterState state) {
    int position = read.position();
    if (!now.stripe().id().equals(read.status().stripe().id())
        || !now.stripe().member(position).block().equals(read.member().block())
        || !isHeld(now, position)) {
      return false;
    }
    String node = state.node(read.node()).uuid();
    BlockStatus block = now.member(position).status();
    if (read.why() == Why.HOME) {
      return block.expected() == 1
          && now.stripe().member(position).home().equals(node)
          && lacksHome(now, position);
    }
    // The worker may just have told the NameNode that it is bad.
    return block.replicas().stream().anyMatch(replica -> replica.node().equals(node));
  }
}
