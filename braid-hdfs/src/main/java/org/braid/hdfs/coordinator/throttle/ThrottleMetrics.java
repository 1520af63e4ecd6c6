package org.braid.hdfs.coordinator.throttle;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.braid.hdfs.metrics.DaemonMetrics;
import org.braid.plan.throttle.SharedLink.Kind;
import org.braid.plan.throttle.WorkClass;

/** Metrics of the throttle in force and of the bytes moved under it. */
public final class ThrottleMetrics {
  private static final long NONE = -1;

  private ThrottleMetrics() {}

  /** Adds the throttle to the metrics of a daemon. */
  public static void addTo(DaemonMetrics metrics, Throttles throttles) {
    List<String> classes = new ArrayList<>();
    for (WorkClass work : WorkClass.values()) {
      classes.add(work.word());
    }
    classes.add(MovedBytes.URGENT);
    for (Kind kind : Kind.values()) {
      metrics.gauge(
          "Throttle" + capital(kind.word()),
          "Bytes a second that work in the background may move: " + kind.word() + "; -1: no limit",
          () -> throttles.throttle().limit(kind).orElse(NONE));
      for (String work : classes) {
        metrics.counter(
            capital(work) + "Bytes" + capital(kind.word()),
            "Bytes that plans moved, " + work + " over: " + kind.word(),
            () -> throttles.moved().of(work, kind));
      }
    }
    metrics.gauge(
        "NodesGivingWay",
        "Nodes that leave less than their limits, as their readers are slow",
        () -> throttles.givingWay().size());
  }

  private static String capital(String word) {
    return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
  }
}
