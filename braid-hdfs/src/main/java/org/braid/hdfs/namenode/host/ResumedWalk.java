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
 * A walk through a list that others change between two holds of a lock. Each hold continues behind
 * the entries visited last. If their place is lost, the walk restarts.
 *
 * @param <T> entries, compared by identity
 */
public final class ResumedWalk<T> {
  /** Maximum nanoseconds of a hold. */
  private static final long HOLD_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  /** Number of remembered entries, behind one of which a walk continues. */
  private static final int REMEMBERED = 32;

  private static final int MOST_BEGINNINGS = 4;

  /** State of a walk. */
  public enum State {
    /** The walk continues in another hold. */
    MORE,
    /** The walk has visited every entry that was in the list from its beginning to its end. */
    DONE,
    /** The list has too many entries, or changes too often. */
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
     * The entries behind those visited last.
     *
     * @param last the entries visited last, the most recent first
     * @return empty when the place of these entries is lost
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

  /** A walk that gives up after visiting {@code most} entries. */
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
