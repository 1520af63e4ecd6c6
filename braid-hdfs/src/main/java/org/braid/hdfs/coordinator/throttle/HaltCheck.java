package org.braid.hdfs.coordinator.throttle;

import java.util.List;
import java.util.function.Consumer;
import org.braid.thread.DaemonThreads;
import org.braid.thread.Turn;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the plans whose work is given up. It checks them on its own thread, as a check may call a
 * NameNode that does not answer: changes of rates never wait for that.
 */
final class HaltCheck {
  private static final Logger LOG = LoggerFactory.getLogger(HaltCheck.class);

  private boolean asking;

  /**
   * Starts a check, unless there are no plans or a check is still running.
   *
   * @param then gets the plans whose work is given up, on the thread of the check
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
