package org.braid.hdfs.coordinator.session;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.braid.thread.DaemonThreads;

/** Runs tasks a few at a time. */
public final class Parallel {
  private Parallel() {}

  /** A piece of work. */
  @FunctionalInterface
  public interface Task {
    void run() throws IOException;
  }

  /** Runs all tasks; the first failure ends the rest and is thrown. */
  public static void run(int threads, List<Task> tasks) throws IOException {
    ExecutorService pool =
        Executors.newFixedThreadPool(
            Math.max(1, Math.min(threads, tasks.size())), DaemonThreads.named("braid-stripe"));
    try {
      List<Future<?>> futures = new ArrayList<>();
      for (Task task : tasks) {
        futures.add(
            pool.submit(
                () -> {
                  task.run();
                  return null;
                }));
      }
      for (Future<?> future : futures) {
        result(future);
      }
    } finally {
      pool.shutdownNow();
    }
  }

  /** Returns the result of a task, or throws its failure. */
  static <T> T result(Future<T> future) throws IOException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException io) {
        throw io;
      }
      if (e.getCause() instanceof RuntimeException unchecked) {
        throw unchecked;
      }
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
