package org.braid.hdfs.coordinator.throttle;

import java.util.List;
import java.util.function.Consumer;
import org.braid.thread.DaemonThreads;
import org.braid.thread.Turn;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks which plans are halted, as their work is given up. It asks on a thread of its own: the
 * question may go to a NameNode that is away, and no change of a rate waits for that.
 */
final class HaltCheck {
  private static final Logger LOG = LoggerFactory.getLogger(HaltCheck.class);

  private boolean asking;

  /**
   * Begins a check, unless one is still going on.
   *
   * @param then gets the plans whose work is given up
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
