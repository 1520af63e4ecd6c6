package org.braid.hdfs.coordinator;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.api.RepairPolicy;
import org.braid.hdfs.api.StopSignal;
import org.braid.hdfs.api.WatchReport;
import org.braid.hdfs.api.WatchRequest;
import org.braid.testing.Await;
import org.braid.testing.AwaitException;

/** A coordinator that watches a cluster from a thread of this process. */
final class WatchingCoordinator implements AutoCloseable {
  private static final String NAME = "test-watch";
  private static final long POLICY_MILLIS = 300;

  /** A repair may wait for nodes that are silent, and for copies to go, before it can be made. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final Pattern REBUILT = Pattern.compile("^[1-9][0-9]* blocks rebuilt");

  final List<String> journal = new CopyOnWriteArrayList<>();
  private final StopSignal stop = new StopSignal();
  private final CompletableFuture<WatchReport> report = new CompletableFuture<>();

  /** Starts to watch; how often it looks by itself is up to the test. */
  WatchingCoordinator(ClusterFixture fixture, long intervalMillis) {
    this(fixture, intervalMillis, RepairPolicy.CONFIGURED);
  }

  /** The same with a policy of repairs. */
  WatchingCoordinator(ClusterFixture fixture, long intervalMillis, RepairPolicy policy) {
    this(fixture::braid, intervalMillis, policy);
  }

  /** Opens the cluster that is watched. */
  interface Opener {
    Cluster open() throws IOException;
  }

  /** The same that looks for files of policies as often as the test says. */
  WatchingCoordinator(ClusterFixture fixture, long intervalMillis, long policyMillis) {
    this(fixture::braid, intervalMillis, RepairPolicy.CONFIGURED, policyMillis);
  }

  /** The same on a cluster that is opened with settings of its own. */
  WatchingCoordinator(Opener opener, long intervalMillis, RepairPolicy policy) {
    this(opener, intervalMillis, policy, POLICY_MILLIS);
  }

  private WatchingCoordinator(
      Opener opener, long intervalMillis, RepairPolicy policy, long policyMillis) {
    Thread thread =
        new Thread(
            () -> {
              try (Cluster cluster = opener.open()) {
                report.complete(
                    cluster.watch(
                        new WatchRequest(
                            "chain",
                            2,
                            ClusterFixture.SLICE,
                            5,
                            policy,
                            intervalMillis,
                            policyMillis,
                            stop,
                            journal::add,
                            Progress.SILENT)));
              } catch (Exception | Error e) {
                report.completeExceptionally(e);
              }
            },
            NAME);
    thread.setDaemon(true);
    thread.start();
  }

  /** Waits until it holds the lease and has had its first look. */
  WatchingCoordinator awaitWatching() throws Exception {
    await("all stripes are looked at");
    return this;
  }

  void await(String entry) throws Exception {
    await(entry, line -> line.contains(entry));
  }

  /**
   * Waits until it has rebuilt a block. A look at blocks that are reported again meanwhile rebuilds
   * nothing, and says so in the same words.
   */
  void awaitRebuilt() throws Exception {
    await("blocks rebuilt", REBUILT.asPredicate());
  }

  private void await(String what, Predicate<String> entry) throws Exception {
    try {
      Await.until(
          what,
          PATIENCE,
          () -> {
            if (report.isDone()) {
              report.get();
            }
            return List.copyOf(journal);
          },
          lines -> lines.stream().anyMatch(entry));
    } catch (AwaitException e) {
      throw new AssertionError(e.getMessage() + ", while " + doing(), e);
    }
  }

  /** Where the threads are that may be at work. */
  private static String doing() {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(
            thread ->
                thread.getKey().getName().equals(NAME)
                    || thread.getKey().getName().matches("braid-(repair|listing|urgent|demands)"))
        .map(
            thread ->
                thread.getKey().getName()
                    + " is at "
                    + Arrays.stream(thread.getValue())
                        .filter(frame -> frame.getClassName().startsWith("org.braid."))
                        .limit(6)
                        .map(StackTraceElement::toString)
                        .collect(Collectors.joining(" < ")))
        .collect(Collectors.joining("; "));
  }

  /** Tells it to stop. */
  void stop() {
    stop.stop();
  }

  /** Ends it and says what it did. */
  WatchReport end() throws Exception {
    stop();
    return report.get(60, TimeUnit.SECONDS);
  }

  @Override
  public void close() throws Exception {
    end();
  }
}
