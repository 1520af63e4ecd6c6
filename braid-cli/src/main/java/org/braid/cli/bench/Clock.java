package org.braid.cli.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.LongSupplier;

/**
 * Time that a measurement counts.
 *
 * @param name what time it is
 * @param nanos reads it
 */
public record Clock(String name, LongSupplier nanos) {
  /**
   * The time this thread has had a core to itself, where the JVM tells it: what other programs take
   * in between is not counted. The time of day elsewhere.
   */
  public static Clock ofThisThread() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    if (threads.isCurrentThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled()) {
      return new Clock("processor time of the thread", threads::getCurrentThreadCpuTime);
    }
    return new Clock("wall time", System::nanoTime);
  }
}
