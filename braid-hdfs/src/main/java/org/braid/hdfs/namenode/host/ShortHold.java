package org.braid.hdfs.namenode.host;

import java.io.IOException;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * One of many holds of the NameNode's lock, for work on many things: it is over after 2 ms, so that
 * others wait no longer than that and what is done with one thing.
 */
public final class ShortHold {
  private static final long NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final LongSupplier nanos;
  private final long end;

  /** What is done with a thing; the lock is held. */
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

  /** Visits the next things, at least one, until it is over or there are no more. */
  public <T> void visit(Iterator<T> things, Visitor<T> visitor) throws IOException {
    do {
      visitor.visit(things.next());
    } while (things.hasNext() && !isOver());
  }
}
