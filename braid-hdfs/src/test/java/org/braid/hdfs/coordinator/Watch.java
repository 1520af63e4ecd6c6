package org.braid.hdfs.coordinator;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.RepairPolicy;
import org.braid.hdfs.api.StopSignal;
import org.braid.hdfs.api.WatchReport;
import org.braid.hdfs.api.WatchRequest;

/** A coordinator that watches a cluster from a thread of this process. */
final class Watch implements AutoCloseable {
  final List<String> journal = new CopyOnWriteArrayList<>();
  private final StopSignal stop = new StopSignal();
  private final CompletableFuture<WatchReport> report = new CompletableFuture<>();

  /** Starts to watch; how often it looks by itself is up to the test. */
  Watch(Lab lab, long intervalMillis) {
    Thread thread =
        new Thread(
            () -> {
              try (Cluster cluster = lab.braid()) {
                report.complete(
                    cluster.watch(
                        new WatchRequest(
                            "chain",
                            2,
                            Lab.SLICE,
                            5,
                            RepairPolicy.CONFIGURED,
                            intervalMillis,
                            stop,
                            journal::add)));
              } catch (Exception | Error e) {
                report.completeExceptionally(e);
              }
            },
            "test-watch");
    thread.setDaemon(true);
    thread.start();
  }

  /** Waits until it holds the lease and has had its first look. */
  Watch awaitWatching() throws Exception {
    await("all stripes are looked at");
    return this;
  }

  void await(String entry) throws Exception {
    long end = System.nanoTime() + 60_000_000_000L;
    while (journal.stream().noneMatch(line -> line.contains(entry))) {
      if (report.isDone()) {
        report.get();
      }
      if (System.nanoTime() > end) {
        throw new AssertionError("no \"" + entry + "\" in " + journal);
      }
      Thread.sleep(10);
    }
  }

  /** Ends it and says what it did. */
  WatchReport end() throws Exception {
    stop.stop();
    return report.get(60, TimeUnit.SECONDS);
  }

  @Override
  public void close() throws Exception {
    end();
  }
}
