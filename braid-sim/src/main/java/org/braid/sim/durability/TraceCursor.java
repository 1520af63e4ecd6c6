package org.braid.sim.durability;

import java.util.List;
import java.util.function.Predicate;
import org.braid.sim.failure.Trace;
import org.braid.sim.failure.Trace.Event;

/** A place in a trace. Not thread-safe. */
final class TraceCursor {
  private final List<Event> events;

  /** The first event that is not over. */
  private int place;

  /** The event that was found last. */
  private int found;

  TraceCursor(Trace trace) {
    events = trace.events();
  }

  /** Goes to the place of another cursor of the same trace. */
  void goTo(TraceCursor other) {
    place = other.place;
    found = other.found;
  }

  /** When the next event comes that matters; infinite when none does until a time. */
  double next(double now, double until, Predicate<Event> matters) {
    while (place < events.size() && events.get(place).at() < now) {
      place++;
    }
    for (int i = place; i < events.size() && events.get(i).at() <= until; i++) {
      if (matters.test(events.get(i))) {
        found = i;
        return events.get(i).at();
      }
    }
    return Double.POSITIVE_INFINITY;
  }

  /** The event that was found; it is over then. */
  Event take() {
    place = found + 1;
    return events.get(found);
  }
}
