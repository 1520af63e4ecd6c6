package org.braid.hdfs.namenode.host;

import java.io.IOException;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * One of many short holds of the NameNode's lock for work on many elements. It ends after the
 * element that is processed when 2 ms have passed, so that other threads wait no longer.
 */
public final class ShortHold {
  private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final LongSupplier nanos;
  private final long end;

  /** The work on one element; the lock is held. */
  @FunctionalInterface
  public interface Visitor<T> {
    void visit(T thing) throws IOException;
  }

  /**
   * A hold that begins now.
   *
   * @param nanos a clock that never runs backwards
   */
  public ShortHold(LongSupplier nanos) {
    this.nanos = nanos;
    this.end = nanos.getAsLong() + NANOS;
  }

  /** Whether the lock is to be given back. */
  public boolean isOver() {
    return nanos.getAsLong() - end > 0;
  }

  /** Visits the next elements, at least one, until the hold is over or no element is left. */
  public <T> void visit(Iterator<T> things, Visitor<T> visitor) throws IOException {
    do {
      visitor.visit(things.next());
    } while (things.hasNext() && !isOver());
  }
}
