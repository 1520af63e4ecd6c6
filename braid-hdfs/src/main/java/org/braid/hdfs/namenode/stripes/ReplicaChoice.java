package org.braid.hdfs.namenode.stripes;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which replicas of a stripe's block may become the only one. A choice of plain values: what it
 * names is still to be verified by its worker, and checked again under the namesystem's lock.
 */
final class ReplicaChoice {
  private ReplicaChoice() {}

  /**
   * A good replica.
   *
   * @param uuid its DataNode
   * @param ip the DataNode's address
   * @param port of its worker
   * @param silence milliseconds since the DataNode was last heard of
   * @param reliable its DataNode is heard of and has reported all its blocks
   * @param fits the rule of the stripe allows the block there
   */
  record Candidate(
      String uuid, String ip, int port, long silence, boolean reliable, boolean fits) {}

  /**
   * What the NameNode knows of a block that aims at one replica.
   *
   * @param home the DataNode that the stripe names
   * @param wanted the DataNode that a mover has copied it to; null when none has
   * @param homeAbsent whether it is known that no replica is there
   * @param corrupt whether there are corrupt replicas, too
   * @param candidates none when the block is gone, lost, raised or written to
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

    /** A block that is not for the guard. */
    static Block nothing(String home) {
      return new Block(home, null, false, false, List.of());
    }
  }

  /** What is to be done. */
  enum Action {
    /** Nothing: the only replica is at home, or the block is not for the guard. */
    NONE,
    /** Nothing yet: the NameNode is to learn more of the home first. */
    WAIT,
    /** The first of the replicas that is verified stays, the others go. */
    VERIFY
  }

  /**
   * A choice.
   *
   * @param replicas to verify: the mover's first, then the one at home, then as was heard of last
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
   * A DataNode that the NameNode has heard of since its start.
   *
   * @param reported whether it has reported all its blocks
   */
  record Node(boolean alive, boolean reported) {}

  /**
   * Whether a home is known not to hold its block: its node is dead, or has reported all its
   * blocks, or has not come back for as long as HDFS takes to call a node dead.
   *
   * @param up milliseconds since the NameNode started
   * @param expiry milliseconds after which HDFS calls a node dead
   */
  static boolean isAbsent(@Nullable Node home, long up, long expiry) {
    return home == null ? up > expiry : !home.alive() || home.reported();
  }
}
