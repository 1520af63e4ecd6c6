package org.braid.sim.durability;

import java.util.List;
import java.util.function.Predicate;
import org.braid.sim.failure.FailureTrace;
import org.braid.sim.failure.FailureTrace.Event;

/** A position in a failure trace. Not thread-safe. */
final class TraceCursor {
  private final List<Event> events;

  /** The first event that is not past. */
  private int place;

  /** The event that was found last. */
  private int found;

  TraceCursor(FailureTrace trace) {
    events = trace.events();
  }

  /** Goes to the position of another cursor of the same trace. */
  void goTo(TraceCursor other) {
    place = other.place;
    found = other.found;
  }

  /**
   * Finds the next matching event up to a time, and returns its time; infinite if there is none.
   */
  double next(double now, double until, Predicate<Event> matches) {
    while (place < events.size() && events.get(place).at() < now) {
      place++;
    }
    for (int i = place; i < events.size() && events.get(i).at() <= until; i++) {
      if (matches.test(events.get(i))) {
        found = i;
        return events.get(i).at();
      }
    }
    return Double.POSITIVE_INFINITY;
  }

  /** Takes the event that was found. */
  Event take() {
    place = found + 1;
    return events.get(found);
  }
}
