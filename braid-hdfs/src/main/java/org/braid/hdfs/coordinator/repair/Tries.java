package org.braid.hdfs.coordinator.repair;

import java.util.OptionalLong;

/** Counts the attempts at a stripe whose repair failed or found no place. For one thread. */
final class Tries {
  /** Most repairs of what an earlier repair left of a stripe. */
  private static final int MOST_PARTS = 8;

  /** Most attempts to finish the blocks that failed attempts rebuilt. */
  private static final int MOST_FINISHED = 5;

  /** Most unanswered calls on the NameNode, in total. */
  private static final int MOST_UNANSWERED = 20;

  private OptionalLong refusedAt = OptionalLong.empty();
  private boolean withoutMoves;
  private int stoodIn;
  private int parts;
  private boolean failed;
  private int finished;
  private int unanswered;

  /** How long it has found no place, since the first time. */
  long refusedFor(long now) {
    if (refusedAt.isEmpty()) {
      refusedAt = OptionalLong.of(now);
    }
    return now - refusedAt.getAsLong();
  }

  /** Notes that only its lost blocks are rebuilt, as the misplaced ones cannot be moved. */
  void leaveMoves() {
    withoutMoves = true;
  }

  boolean leavesMoves() {
    return withoutMoves;
  }

  /** Notes that its blocks are to be rebuilt at stand-ins. */
  void standIn() {
    stoodIn++;
  }

  /** Number of attempts to rebuild its blocks at stand-ins. */
  int stoodIn() {
    return stoodIn;
  }

  /** Notes a partial repair; returns whether the rest may be repaired after it. */
  boolean goesOnAfterPart() {
    boolean more = ++parts <= MOST_PARTS;
    if (more) {
      refusedAt = OptionalLong.empty();
    }
    return more;
  }

  /** Notes that an attempt failed, which may have rebuilt blocks all the same. */
  void fail() {
    failed = true;
  }

  /** Whether attempts have failed since the last call. */
  boolean takeFailed() {
    boolean was = failed;
    failed = false;
    return was;
  }

  /** Notes that finishing the rebuilt blocks failed; returns whether it may be tried again. */
  boolean finishesAgain() {
    failed = ++finished < MOST_FINISHED;
    return failed;
  }

  /** Notes an unanswered call on the NameNode; returns whether it may be repeated. */
  boolean passes() {
    return ++unanswered <= MOST_UNANSWERED;
  }
}
