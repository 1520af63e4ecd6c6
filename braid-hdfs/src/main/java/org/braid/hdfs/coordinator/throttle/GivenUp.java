package org.braid.hdfs.coordinator.throttle;

import java.util.List;
import java.util.function.Consumer;
import org.braid.thread.DaemonThreads;
import org.braid.thread.Turn;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks whether the work of plans is given up, on a thread of its own: whoever is asked may ask a
 * NameNode that is away, and no rate waits for that.
 */
final class GivenUp {
  private static final Logger LOG = LoggerFactory.getLogger(GivenUp.class);

  private boolean asking;

  /**
   * Asks, unless it is being asked still.
   *
   * @param then gets those of the plans that are given up
   */
  synchronized void soon(List<Grant> plans, Consumer<List<Grant>> then) {
    if (!asking && !plans.isEmpty()) {
      DaemonThreads.of("braid-throttle-ask", () -> ask(plans, then)).start();
      asking = true; // which it sees when it ends: this monitor is held
    }
  }

  private void ask(List<Grant> plans, Consumer<List<Grant>> then) {
    try {
      Turn.take(
          () ->
              then.accept(
                  plans.stream().filter(plan -> plan.work().halted().getAsBoolean()).toList()),
          e -> LOG.warn("plans that are given up go on for now: {}", e.toString(), e));
    } finally {
      synchronized (this) {
        asking = false;
      }
    }
  }
}
