package org.braid.hdfs.coordinator.convert;

import java.io.IOException;
import java.util.BitSet;

/**
 * Has tasks that run beside each other do a part of their work one after another, in the order of
 * their numbers, so that what comes of it does not depend on which is faster. Thread-safe. Tasks
 * must be begun in that order, and each must pass its turn, whatever becomes of it.
 */
final class Turns {
  private final BitSet passed = new BitSet();

  /** The turn of a task. */
  final class Turn {
    private final int number;

    private Turn(int number) {
      this.number = number;
    }

    /** Waits until all before have passed. */
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

    /** Lets the next one have its turn; once more does nothing. */
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
