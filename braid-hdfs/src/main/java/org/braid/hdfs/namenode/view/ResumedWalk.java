package org.braid.hdfs.namenode.view;

import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A walk through a list that its owners change between two holds of a lock: each hold goes on
 * behind the last entry that was visited. When that is not where it was, the walk begins anew.
 *
 * @param <T> the entries, told apart by identity
 */
final class ResumedWalk<T> {
  /** Nanoseconds that entries are visited for in a hold. */
  private static final long HOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /** How far a walk is. */
  enum State {
    /** Another hold goes on. */
    MORE,
    /** All entries were visited that were there all the time. */
    DONE,
    /** There are too many entries, or they change too often. */
    GIVEN_UP
  }

  private static final int MOST_BEGINNINGS = 4;

  private final Supplier<Iterator<T>> list;
  private final int most;
  private final LongSupplier nanos;
  private int visited;
  private @Nullable T last;
  private int begun = 1;

  /** A walk that is given up behind so many entries. */
  ResumedWalk(Supplier<Iterator<T>> list, int most) {
    this(list, most, System::nanoTime);
  }

  ResumedWalk(Supplier<Iterator<T>> list, int most, LongSupplier nanos) {
    this.list = list;
    this.most = most;
    this.nanos = nanos;
  }

  /** Visits the next entries, at least one; the lock is held. An entry may be visited twice. */
  State step(Consumer<T> visitor) {
    Iterator<T> entries = list.get();
    if (!skip(entries)) {
      if (++begun > MOST_BEGINNINGS) {
        return State.GIVEN_UP;
      }
      visited = 0;
      last = null;
      entries = list.get();
    }
    long end = nanos.getAsLong() + HOLD_NANOS;
    while (entries.hasNext()) {
      if (visited == most) {
        return State.GIVEN_UP;
      }
      T entry = entries.next();
      visitor.accept(entry);
      visited++;
      last = entry;
      if (nanos.getAsLong() > end) {
        return State.MORE;
      }
    }
    return State.DONE;
  }

  /** Passes over what was visited; says whether it is still there. */
  private boolean skip(Iterator<T> entries) {
    @Nullable T at = null;
    for (int i = 0; i < visited; i++) {
      if (!entries.hasNext()) {
        return false;
      }
      at = entries.next();
    }
    return at == last;
  }
}
