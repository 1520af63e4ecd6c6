package org.braid.hdfs.coordinator.repair;

import java.util.OptionalLong;

/** What was tried with a stripe whose repair did not go well; for one thread. */
final class Tries {
  /** So often what a repair leaves of a stripe is repaired after it. */
  private static final int MOST_PARTS = 8;

  /** So often it is finished what failed attempts have rebuilt. */
  private static final int MOST_FINISHED = 5;

  /** So often the NameNode may not answer, although it does in between. */
  private static final int MOST_UNANSWERED = 20;

  private OptionalLong refusedAt = OptionalLong.empty();
  private boolean withoutMoves;
  private int stoodIn;
  private int parts;
  private boolean failed;
  private int finished;
  private int unanswered;

  /** For how long it finds no place, from the first time on. */
  long refusedFor(long now) {
    if (refusedAt.isEmpty()) {
      refusedAt = OptionalLong.of(now);
    }
    return now - refusedAt.getAsLong();
  }

  /** Its lost blocks are rebuilt alone, as others cannot be moved. */
  void leaveMoves() {
    withoutMoves = true;
  }

  boolean leavesMoves() {
    return withoutMoves;
  }

  /** Its blocks are to be rebuilt at stand-ins. */
  void standIn() {
    stoodIn++;
  }

  /** How often they were. */
  int stoodIn() {
    return stoodIn;
  }

  /** It was repaired in part; returns whether the rest may be repaired after that. */
  boolean goesOnAfterPart() {
    boolean more = ++parts <= MOST_PARTS;
    if (more) {
      refusedAt = OptionalLong.empty();
    }
    return more;
  }

  /** An attempt has failed, and may have rebuilt blocks all the same. */
  void fail() {
    failed = true;
  }

  /** Whether attempts have failed since this was asked last. */
  boolean takeFailed() {
    boolean was = failed;
    failed = false;
    return was;
  }

  /** To finish what was rebuilt has failed, too; returns whether it may be tried again. */
  boolean finishesAgain() {
    failed = ++finished < MOST_FINISHED;
    return failed;
  }

  /** The NameNode did not answer; returns whether that counts for nothing. */
  boolean passes() {
    return ++unanswered <= MOST_UNANSWERED;
  }
}
