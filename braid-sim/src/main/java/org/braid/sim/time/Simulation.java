package org.braid.sim.time;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A discrete-event simulation. Events of the same time happen in the order in which they were
 * scheduled, so that a run depends on its inputs alone. The cost of an event is the logarithm of
 * the number of pending events.
 *
 * <p>Time is a number of nanoseconds from 0 to 292 years.
 */
public final class Simulation {
  private static final double NANOS = 1e9;

  private Event[] heap = new Event[64];
  private int size;
  private long now;
  private long asked;
  private long happened;

  /** A scheduled event. */
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

    /** The time of the event, in nanoseconds. */
    public long at() {
      return at;
    }

    private boolean before(Event other) {
      return at != other.at ? at < other.at : order < other.order;
    }
  }

  /** Converts seconds to nanoseconds, rounded up. */
  public static long nanos(double seconds) {
    if (!(seconds >= 0) || seconds * NANOS >= Long.MAX_VALUE) {
      throw new IllegalArgumentException(
          "%s seconds of virtual time: must be 0 to 9.2e9".formatted(seconds));
    }
    return (long) Math.ceil(seconds * NANOS);
  }

  /** Converts nanoseconds to seconds. */
  public static double seconds(long nanos) {
    return nanos / NANOS;
  }

  /** The current time, in nanoseconds. */
  public long now() {
    return now;
  }

  /** Number of events that have happened. */
  public long happened() {
    return happened;
  }

  /** Number of events that are scheduled. */
  public int pending() {
    return size;
  }

  /**
   * Schedules an event at a time, after all events that are scheduled for that time.
   *
   * @throws IllegalArgumentException when the time has passed
   */
  public Event at(long nanos, Runnable action) {
    if (nanos < now) {
      throw new IllegalArgumentException(
          "an event at %d ns, before the current time of %d ns".formatted(nanos, now));
    }
    Event event = new Event(nanos, asked++, action, size);
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, 2 * size);
    }
    heap[size++] = event;
    up(event);
    return event;
  }

  /** Schedules an event so many nanoseconds from now. */
  public Event after(long nanos, Runnable action) {
    return at(Math.addExact(now, nanos), action);
  }

  /** Cancels an event, unless it is null, has happened, or is cancelled. */
  public void cancel(@Nullable Event event) {
    if (event != null && event.place != Event.GONE) {
      remove(event.place);
    }
  }

  /**
   * Reschedules an event to so many nanoseconds from now. The effect is that of cancelling and
   * scheduling it again, at a lower cost.
   *
   * @throws IllegalArgumentException when the event has happened or is cancelled
   */
  public void move(Event event, long nanos) {
    if (event.place == Event.GONE) {
      throw new IllegalArgumentException("the event of %d ns is gone".formatted(event.at));
    }
    long later = Math.addExact(now, nanos);
    if (later < now) {
      throw new IllegalArgumentException(
          "an event at %d ns, before the current time of %d ns".formatted(later, now));
    }
    event.at = later;
    event.order = asked++;
    up(event);
    down(event);
  }

  /** Runs until no event is left. */
  public void run() {
    while (step()) {}
  }

  /** Runs all events up to a time, and sets the clock to it. */
  public void runUntil(long nanos) {
    while (size > 0 && heap[0].at <= nanos) {
      step();
    }
    now = Math.max(now, nanos);
  }

  /** Runs the next event; returns whether there was one. */
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
    heap[size] = last; // leaves no null; the next event overwrites it
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
