package org.braid.hdfs.coordinator.throttle;

import java.util.ArrayList;
import java.util.List;
import org.braid.plan.throttle.Throttle;
import org.jspecify.annotations.Nullable;

/** What whoever works is told about the throttle, each thing once. */
final class ThrottleNotes {
  private @Nullable Throttle known;
  private String failure = "";
  private String stopped = "";

  /**
   * What is to be told after the throttle was read.
   *
   * @param throttle what holds now
   * @param problem why it could not be read; empty when it could
   * @param holdsBack whether a plan stands still
   */
  List<String> after(Throttle throttle, String problem, boolean holdsBack) {
    List<String> notes = new ArrayList<>();
    if (!problem.isEmpty() && !problem.equals(failure)) {
      notes.add("the throttle cannot be read, what held before holds: " + problem);
    }
    failure = problem;
    String zero = throttle.stopped();
    if (!zero.isEmpty() && holdsBack && !zero.equals(stopped)) {
      stopped = zero;
      notes.add(
          "work stands still: the throttle of %s is 0; braid throttle set or clear lets it go on"
              .formatted(zero));
    } else if (zero.isEmpty()) {
      stopped = "";
      if (known != null && !throttle.equals(known)) {
        notes.add("the throttle is " + throttle);
      }
    }
    known = throttle;
    return notes;
  }
}
