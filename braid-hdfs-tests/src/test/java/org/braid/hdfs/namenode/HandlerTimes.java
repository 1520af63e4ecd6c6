package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The processor time that a NameNode's handlers spend on calls. With {@code
 * -Dbraid.attack.rounds=N} each call is made N times, and no median may be above 10 ms; a single
 * call may be the first of its kind, for which classes are loaded.
 */
final class HandlerTimes implements Closeable {
  private static final int ROUNDS = Integer.getInteger("braid.attack.rounds", 1);
  private static final double MOST_MILLIS = 10;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final String handlers;
  private final Map<String, List<Double>> medians = new TreeMap<>();

  /** Of the NameNode at a port. */
  HandlerTimes(int port) {
    handlers = "IPC Server handler \\d+ on .*\\b" + port;
  }

  /** Makes a call. */
  <T> T measure(Supplier<T> call) {
    double[] millis = new double[ROUNDS];
    T last = null;
    for (int round = 0; round < ROUNDS; round++) {
      long before = nanos();
      last = call.get();
      millis[round] = (nanos() - before) / (double) TimeUnit.MILLISECONDS.toNanos(1);
    }
    Arrays.sort(millis);
    medians.computeIfAbsent(caller(), name -> new ArrayList<>()).add(millis[ROUNDS / 2]);
    return last;
  }

  private long nanos() {
    long sum = 0;
    for (ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds())) {
      if (thread != null && thread.getThreadName().matches(handlers)) {
        sum += Math.max(0, THREADS.getThreadCpuTime(thread.getThreadId()));
      }
    }
    return sum;
  }

  /** The test, which is the method below those of its base. */
  private static String caller() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames
                    .filter(frame -> frame.getClassName().endsWith("Test"))
                    .findFirst()
                    .orElseThrow()
                    .getMethodName());
  }

  @Override
  public void close() {
    if (ROUNDS == 1) {
      return;
    }
    double most = 0;
    for (Map.Entry<String, List<Double>> test : medians.entrySet()) {
      double median = test.getValue().stream().mapToDouble(each -> each).max().orElse(0);
      most = Math.max(most, median);
      System.out.printf(
          Locale.ROOT,
          "%-55s %6.3f ms of handlers' processor time a call, median of %d%n",
          test.getKey(),
          median,
          ROUNDS);
    }
    assertTrue(most > 0, "no handler was seen at work: " + handlers);
    assertTrue(most <= MOST_MILLIS, most + " ms");
  }
}
