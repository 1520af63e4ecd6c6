package org.braid.hdfs.coordinator.throttle;

import java.util.ArrayList;
import java.util.List;
import org.braid.hdfs.api.view.Amounts;
import org.braid.plan.throttle.Throttle;
import org.braid.plan.throttle.WorkClass;
import org.jspecify.annotations.Nullable;

/** Decides which messages about the throttle a running command or daemon gets, each once. */
final class ThrottleNotes {
  /**
   * The messages.
   *
   * @param warnings causes that stop work, or why the throttle is unknown
   * @param changes changes that an operator made
   */
  record Notes(List<String> warnings, List<String> changes) {
    Notes {
      warnings = List.copyOf(warnings);
      changes = List.copyOf(changes);
    }
  }

  private @Nullable Throttle known;
  private String failure = "";
  private String stopped = "";

  /**
   * Returns the messages after a reading of the throttle.
   *
   * @param throttle what holds now
   * @param problem why it could not be read; empty when it could
   * @param holdsBack whether a plan stands still
   */
  Notes after(Throttle throttle, String problem, boolean holdsBack) {
    List<String> warnings = new ArrayList<>();
    List<String> changes = new ArrayList<>();
    if (!problem.isEmpty() && !problem.equals(failure)) {
      warnings.add("the throttle cannot be read, what held before holds: " + problem);
    }
    failure = problem;
    String zero = throttle.stopped();
    if (!zero.isEmpty() && holdsBack && !zero.equals(stopped)) {
      stopped = zero;
      warnings.add(
          "work stands still: the throttle of %s is 0; braid throttle set or clear lets it go on"
              .formatted(zero));
    } else if (zero.isEmpty()) {
      stopped = "";
      if (known != null && !throttle.equals(known)) {
        changes.add("the throttle is now: " + words(throttle));
      }
    }
    known = throttle;
    return new Notes(warnings, changes);
  }

  private static String words(Throttle throttle) {
    List<String> parts = new ArrayList<>();
    throttle
        .limits()
        .forEach((kind, limit) -> parts.add(kind.word() + " " + Amounts.bytes(limit) + "/s"));
    long micros = throttle.latencyTargetMicros();
    if (micros > 0) {
      String time = micros % 1000 == 0 ? micros / 1000 + " ms" : micros + " us";
      parts.add("nodes give way above " + time + " a packet");
    }
    if (parts.isEmpty()) {
      return "none";
    }
    parts.add(
        "shares %s of repair and %s of conversion"
            .formatted(throttle.share(WorkClass.REPAIR), throttle.share(WorkClass.CONVERSION)));
    return String.join(", ", parts);
  }
}
