package org.braid.hdfs.namenode.stripes;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses from plain values the replicas of a stripe's block that may become its only one. The
 * chosen replicas must still be verified by their workers, and checked again under the namesystem's
 * lock.
 */
final class ReplicaChoice {
  private ReplicaChoice() {}

  /**
   * A good replica.
   *
   * @param uuid UUID of its DataNode
   * @param ip address of the DataNode
   * @param port port of the DataNode's worker
   * @param silence milliseconds since the DataNode's last heartbeat
   * @param reliable whether the DataNode is not silent and has reported all its blocks
   * @param fits whether the stripe's rule allows the block there
   */
  record Candidate(
      String uuid, String ip, int port, long silence, boolean reliable, boolean fits) {}

  /**
   * The NameNode's knowledge of a block that aims at one replica.
   *
   * @param home the DataNode that the stripe names
   * @param wanted the DataNode that a mover has copied the block to; null for none
   * @param homeAbsent whether the home is known to have no replica
   * @param corrupt whether there are corrupt replicas, too
   * @param candidates empty when the block is deleted, lost, raised or being written
   */
  record Block(
      String home,
      @Nullable String wanted,
      boolean homeAbsent,
      boolean corrupt,
      List<Candidate> candidates) {
    Block {
      candidates =
          candidates.stream()
              .sorted(
                  Comparator.comparing((Candidate c) -> !c.uuid().equals(home))
                      .thenComparing(Candidate::silence))
              .toList();
    }

    /** A block that the guard does not decide on. */
    static Block nothing(String home) {
      return new Block(home, null, false, false, List.of());
    }
  }

  /** The next action. */
  enum Action {
    /** None: the only replica is at home, or the guard does not decide on the block. */
    NONE,
    /** None yet: the NameNode must learn more of the home first. */
    WAIT,
    /** The first replica that is verified stays; the others are dropped. */
    VERIFY
  }

  /**
   * A choice.
   *
   * @param replicas replicas to verify: the mover's first, then that at home, then by their nodes'
   *     last heartbeat
   */
  record Choice(Action action, List<Candidate> replicas) {}

  static Choice of(Block block) {
    List<Candidate> candidates = block.candidates();
    if (candidates.isEmpty()) {
      return new Choice(Action.NONE, List.of());
    }
    Candidate first = candidates.get(0);
    boolean home = first.uuid().equals(block.home());
    if (home && candidates.size() == 1 && !block.corrupt()) {
      return new Choice(Action.NONE, List.of());
    }
    // A home that is silent but not dead, or has yet to report, may be where the good replica is.
    if (home ? !first.reliable() : !block.homeAbsent()) {
      return new Choice(Action.WAIT, List.of());
    }
    // One that does not fit is to be relocated: the home is right, the replica is not.
    return new Choice(
        Action.VERIFY,
        candidates.stream()
            .filter(c -> c.reliable() && c.fits())
            .sorted(Comparator.comparing(c -> !c.uuid().equals(block.wanted())))
            .toList());
  }

  /**
   * A DataNode that has contacted the NameNode since its start.
   *
   * @param reported whether it has reported all its blocks
   */
  record Node(boolean alive, boolean reported) {}

  /**
   * Whether a home is known to have no replica: its node is dead, or has reported all its blocks,
   * or has not returned within the time after which HDFS declares a node dead.
   *
   * @param up milliseconds since the NameNode started
   * @param expiry milliseconds after which HDFS declares a node dead
   */
  static boolean isAbsent(@Nullable Node home, long up, long expiry) {
    return home == null ? up > expiry : !home.alive() || home.reported();
  }
}
