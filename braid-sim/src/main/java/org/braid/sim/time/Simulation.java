package org.braid.sim.time;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A clock that jumps from event to event. Events of the same time happen in the order in which they
 * were asked for, so that a run depends on nothing but its inputs. An event costs the logarithm of
 * the number of pending events, whatever the size of what is simulated.
 *
 * <p>Time is a number of nanoseconds from 0; it ends after 292 years.
 */
public final class Simulation {
  private static final double NANOS = 1e9;

  private Event[] heap = new Event[64];
  private int size;
  private long now;
  private long asked;
  private long happened;

  /** Something that is to happen; handed out so that it can be called off. */
  public static final class Event {
    private static final int GONE = -1;

    private final Runnable action;
    private long at;
    private long order;
    private int place;

    private Event(long at, long order, Runnable action, int place) {
      this.at = at;
      this.order = order;
      this.action = action;
      this.place = place;
    }

    /** When it happens. */
    public long at() {
      return at;
    }

    private boolean before(Event other) {
      return at != other.at ? at < other.at : order < other.order;
    }
  }

  /** Nanoseconds, at least as long as the seconds. */
  public static long nanos(double seconds) {
    if (!(seconds >= 0) || seconds * NANOS >= Long.MAX_VALUE) {
      throw new IllegalArgumentException(
          "%s seconds of virtual time, needed are 0 to 9.2e9".formatted(seconds));
    }
    return (long) Math.ceil(seconds * NANOS);
  }

  /** Seconds of a number of nanoseconds. */
  public static double seconds(long nanos) {
    return nanos / NANOS;
  }

  /** The time, in nanoseconds. */
  public long now() {
    return now;
  }

  /** Events that have happened. */
  public long happened() {
    return happened;
  }

  /** Events that are to happen. */
  public int pending() {
    return size;
  }

  /**
   * Has something happen at a time, after all that was asked for that time before.
   *
   * @throws IllegalArgumentException when the time has passed
   */
  public Event at(long nanos, Runnable action) {
    if (nanos < now) {
      throw new IllegalArgumentException(
          "an event at %d ns, but it is %d ns already".formatted(nanos, now));
    }
    Event event = new Event(nanos, asked++, action, size);
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, 2 * size);
    }
    heap[size++] = event;
    up(event);
    return event;
  }

  /** Has something happen so much later. */
  public Event after(long nanos, Runnable action) {
    return at(Math.addExact(now, nanos), action);
  }

  /** Calls an event off, unless it has happened or was called off before; null is no event. */
  public void cancel(@Nullable Event event) {
    if (event != null && event.place != Event.GONE) {
      remove(event.place);
    }
  }

  /**
   * Has an event that is to happen do so that much later than now instead: as if it were called off
   * and asked for anew, but at less cost where it moves little.
   *
   * @throws IllegalArgumentException when it has happened or was called off
   */
  public void move(Event event, long nanos) {
    if (event.place == Event.GONE) {
      throw new IllegalArgumentException("the event of %d ns is gone".formatted(event.at));
    }
    long later = Math.addExact(now, nanos);
    if (later < now) {
      throw new IllegalArgumentException(
          "an event at %d ns, but it is %d ns already".formatted(later, now));
    }
    event.at = later;
    event.order = asked++;
    up(event);
    down(event);
  }

  /** Runs until nothing is left to happen. */
  public void run() {
    while (step()) {}
  }

  /** Runs all that happens until a time, and sets the clock to it. */
  public void runUntil(long nanos) {
    while (size > 0 && heap[0].at <= nanos) {
      step();
    }
    now = Math.max(now, nanos);
  }

  /** Runs the next event; says whether there was one. */
  public boolean step() {
    if (size == 0) {
      return false;
    }
    Event next = heap[0];
    remove(0);
    now = next.at;
    happened++;
    next.action.run();
    return true;
  }

  private void remove(int place) {
    heap[place].place = Event.GONE;
    Event last = heap[--size];
    heap[size] = last; // keeps the array free of holes; overwritten by the next event
    if (place < size) {
      last.place = place;
      heap[place] = last;
      up(last);
      down(last);
    }
  }

  private void up(Event event) {
    int place = event.place;
    while (place > 0) {
      int parent = (place - 1) >>> 1;
      if (!event.before(heap[parent])) {
        break;
      }
      put(heap[parent], place);
      place = parent;
    }
    put(event, place);
  }

  private void down(Event event) {
    int place = event.place;
    while (2 * place + 1 < size) {
      int child = 2 * place + 1;
      if (child + 1 < size && heap[child + 1].before(heap[child])) {
        child++;
      }
      if (!heap[child].before(event)) {
        break;
      }
      put(heap[child], place);
      place = child;
    }
    put(event, place);
  }

  private void put(Event event, int place) {
    heap[place] = event;
    event.place = place;
  }
}
