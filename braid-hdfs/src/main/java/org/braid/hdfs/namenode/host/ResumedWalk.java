package org.braid.hdfs.namenode.host;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A walk through a list that its owners change between two holds of a lock: each hold goes on
 * behind the entries that were visited last. When it cannot, the walk begins anew.
 *
 * @param <T> the entries, told apart by identity
 */
public final class ResumedWalk<T> {
  /** Nanoseconds that entries are visited for in a hold. */
  private static final long HOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /** Entries behind one of which a walk goes on. */
  private static final int REMEMBERED = 32;

  private static final int MOST_BEGINNINGS = 4;

  /** How far a walk is. */
  public enum State {
    /** Another hold goes on. */
    MORE,
    /** All entries were visited that were there all the time. */
    DONE,
    /** There are too many entries, or they change too often. */
    GIVEN_UP
  }

  /**
   * A list.
   *
   * @param <T> its entries
   */
  public interface Source<T> {
    /** The entries, from the first one on. */
    Iterator<T> begin();

    /**
     * The entries behind those visited.
     *
     * @param last some of them, the last one first
     * @return empty when that cannot be told
     */
    Optional<Iterator<T>> behind(Collection<T> last);
  }

  private final Source<T> list;
  private final int most;
  private final LongSupplier nanos;
  private int visited;
  private int begun = 1;

  /** The entries visited last, the last one first. */
  private final Deque<T> last = new ArrayDeque<>();

  /** A walk that is given up behind so many entries. */
  public ResumedWalk(Source<T> list, int most) {
    this(list, most, System::nanoTime);
  }

  ResumedWalk(Source<T> list, int most, LongSupplier nanos) {
    this.list = list;
    this.most = most;
    this.nanos = nanos;
  }

  /** Visits the next entries, at least one; the lock is held. An entry may be visited twice. */
  public State step(Consumer<T> visitor) {
    Optional<Iterator<T>> rest = last.isEmpty() ? Optional.of(list.begin()) : list.behind(last);
    if (rest.isEmpty()) {
      if (++begun > MOST_BEGINNINGS) {
        return State.GIVEN_UP;
      }
      visited = 0;
      last.clear();
      rest = Optional.of(list.begin());
    }
    Iterator<T> entries = rest.get();
    long end = nanos.getAsLong() + HOLD_NANOS;
    while (entries.hasNext()) {
      if (visited == most) {
        return State.GIVEN_UP;
      }
      T entry = entries.next();
      visitor.accept(entry);
      visited++;
      last.addFirst(entry);
      if (last.size() > REMEMBERED) {
        last.removeLast();
      }
      if (nanos.getAsLong() > end) {
        return State.MORE;
      }
    }
    return State.DONE;
  }
}
