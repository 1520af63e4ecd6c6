package org.braid.hdfs.coordinator.convert;

import java.io.IOException;
import java.util.BitSet;

/**
 * Lets concurrent tasks do a part of their work one after another, in the order of their numbers,
 * so that the result does not depend on their speed. Thread-safe. Tasks must be started in that
 * order, and each must pass its turn, also when it fails.
 */
final class Turns {
  private final BitSet passed = new BitSet();

  /** The turn of a task. */
  final class Turn {
    private final int number;

    private Turn(int number) {
      this.number = number;
    }

    /** Waits until all earlier tasks have passed their turns. */
    void await() throws IOException {
      synchronized (passed) {
        try {
          while (passed.nextClearBit(0) < number) {
            passed.wait();
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IOException("interrupted", e);
        }
      }
    }

    /** Passes the turn to the next task; idempotent. */
    void pass() {
      synchronized (passed) {
        passed.set(number);
        passed.notifyAll();
      }
    }
  }

  /**
   * A task's turn.
   *
   * @param number 0 of the first one
   */
  Turn of(int number) {
    return new Turn(number);
  }
}
