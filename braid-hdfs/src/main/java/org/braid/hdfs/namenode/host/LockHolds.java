package org.braid.hdfs.namenode.host;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** Measures how long Braid held the namesystem's lock, by purpose. Thread-safe. */
public final class LockHolds {
  /**
   * Statistics of all holds with one purpose.
   *
   * @param count number of holds
   * @param total nanoseconds of all holds
   * @param longest nanoseconds of the longest hold
   * @param processor CPU nanoseconds of the thread in the longest hold
   */
  public record Hold(long count, long total, long longest, long processor) {
    private Hold plus(Hold other) {
      Hold most = longest >= other.longest ? this : other;
      return new Hold(count + other.count, total + other.total, most.longest, most.processor);
    }
  }

  /** A hold that begins now, by this thread. */
  final class Begun {
    private final long since = System.nanoTime();
    private final long ran = THREADS.getCurrentThreadCpuTime();

    void end(String what) {
      long nanos = System.nanoTime() - since;
      long processor = THREADS.getCurrentThreadCpuTime() - ran;
      holds.merge(what, new Hold(1, nanos, nanos, processor), Hold::plus);
    }
  }

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Map<String, Hold> holds = new ConcurrentHashMap<>();

  Begun begin() {
    return new Begun();
  }

  /** The holds until now, by purpose. */
  public Map<String, Hold> until() {
    return new TreeMap<>(holds);
  }
}
