package org.braid.cli.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.LongSupplier;

/**
 * The clock of a measurement.
 *
 * @param name name of the clock in reports
 * @param nanos reads the clock in nanoseconds
 */
public record Clock(String name, LongSupplier nanos) {
  /**
   * The processor time of the thread where the JVM measures it, which excludes other programs; else
   * wall time.
   */
  public static Clock ofThisThread() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    if (threads.isCurrentThreadCpuTimeSupported() && threads.isThreadCpuTimeEnabled()) {
      return new Clock("processor time of the thread", threads::getCurrentThreadCpuTime);
    }
    return new Clock("wall time", System::nanoTime);
  }
}
