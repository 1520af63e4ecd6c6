package org.braid.hadooptests;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * The process that runs one test class. It writes a line for each start and end of a test, and then
 * exits. It uses only the JDK and JUnit, as it is on the class path of stock HDFS, too.
 */
public final class ForkedClass {
  /** The line after the last test. */
  static final String DONE = "done";

  /** Begins the line of a test that starts. */
  static final String STARTED = "started";

  /** Stands for the class itself, when the setup or teardown of the class fails. */
  static final String WHOLE_CLASS = "(class)";

  /** Its exit status once its time is over. */
  static final int TIMED_OUT = 3;

  private ForkedClass() {}

  /**
   * Runs a class.
   *
   * @param arguments the class, the file of lines, and after how many seconds to give up
   */
  public static void main(String[] arguments) throws IOException {
    Duration limit = Duration.ofSeconds(Long.parseLong(arguments[2]));
    try (PrintStream lines = new PrintStream(arguments[1], StandardCharsets.UTF_8)) {
      Lines listener = new Lines(lines);
      watch(limit, listener);
      ProcessHandle.current().parent().ifPresent(ForkedClass::endWith);
      run(arguments[0], listener);
      lines.println(DONE);
    }
    // Daemons that tests leave behind would keep the process.
    Runtime.getRuntime().halt(0);
  }

  private static void run(String name, Lines listener) {
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(name))
                .build(),
            listener);
  }

  /** Says what all threads wait for, and ends, once the time is over. */
  private static void watch(Duration limit, Lines listener) {
    start(
        "time limit",
        () -> {
          try {
            Thread.sleep(limit.toMillis());
          } catch (InterruptedException stopped) {
            return;
          }
          listener.breakOff();
          System.err.println("time is over after " + limit.toSeconds() + " s");
          Thread.getAllStackTraces().forEach(ForkedClass::print);
          Runtime.getRuntime().halt(TIMED_OUT);
        });
  }

  private static void start(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Ends the process when its parent was killed and no longer reads its lines. */
  private static void endWith(ProcessHandle parent) {
    start(
        "end of parent",
        () -> {
          parent.onExit().join();
          Runtime.getRuntime().halt(TIMED_OUT);
        });
  }

  private static void print(Thread thread, StackTraceElement[] stack) {
    System.err.println("thread " + thread.getName() + " " + thread.getState());
    for (StackTraceElement element : stack) {
      System.err.println("    at " + element);
    }
  }

  /** Writes each event at once, so that a crash loses none. */
  private static final class Lines implements TestExecutionListener {
    private final PrintStream lines;
    private final Map<TestIdentifier, Long> starts = new ConcurrentHashMap<>();

    Lines(PrintStream lines) {
      this.lines = lines;
    }

    @Override
    public void executionStarted(TestIdentifier test) {
      starts.put(test, System.nanoTime());
      if (test.isTest()) {
        line(STARTED, name(test));
      }
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
      line(TestState.SKIPPED.line(), name(test), "0", text(reason));
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
      Long start = starts.remove(test);
      boolean passed = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
      // A container of tests says nothing of its own unless it fails.
      if (passed && !test.isTest()) {
        return;
      }
      long millis = start == null ? 0 : millisSince(start);
      TestState state =
          switch (result.getStatus()) {
            case SUCCESSFUL -> TestState.PASSED;
            case FAILED -> TestState.FAILED;
            case ABORTED -> TestState.SKIPPED;
          };
      Throwable failure = result.getThrowable().orElse(null);
      line(
          state.line(),
          name(test),
          Long.toString(millis),
          text(failure == null ? "" : failure.toString()));
      if (state == TestState.FAILED && failure != null) {
        System.err.println("failed: " + test.getDisplayName());
        failure.printStackTrace();
      }
    }

    /** Writes how long the tests have run that have not ended. */
    void breakOff() {
      starts.forEach(
          (test, start) -> {
            if (test.isTest()) {
              line(
                  TestState.BROKEN_OFF.line(),
                  name(test),
                  Long.toString(millisSince(start)),
                  "did not end");
            }
          });
    }

    private static long millisSince(long start) {
      return (System.nanoTime() - start) / 1_000_000;
    }

    private void line(String... fields) {
      synchronized (lines) {
        lines.println(String.join("\t", fields));
        lines.flush();
      }
    }

    private static String text(@Nullable String message) {
      String line = message == null ? "" : message.strip().replaceAll("\\s+", " ");
      return line.length() <= 1000 ? line : line.substring(0, 1000);
    }

    /** The segments of the unique id below the class, whose text no run changes. */
    private static String name(TestIdentifier test) {
      String name =
          UniqueId.parse(test.getUniqueId()).getSegments().stream()
              .skip(2)
              .map(UniqueId.Segment::getValue)
              .map(value -> value.endsWith("()") ? value.substring(0, value.length() - 2) : value)
              .collect(Collectors.joining("/"));
      return name.isEmpty() ? WHOLE_CLASS : name;
    }
  }
}
