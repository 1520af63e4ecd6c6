package org.braid.thread;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Makes threads that keep no process alive. */
public final class DaemonThreads {
  private DaemonThreads() {}

  /** A thread that is not started. */
  public static Thread of(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Makes the threads of a pool; all have one name. */
  public static ThreadFactory named(String name) {
    return task -> of(name, task);
  }

  /**
   * A pool whose threads all run from now on: on a host that has no more threads a pool that starts
   * them when it gets work may fail to, and have the work in its queue nevertheless.
   */
  public static ExecutorService fixed(int threads, String name) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads, threads, 0, TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), named(name));
    pool.prestartAllCoreThreads();
    return pool;
  }

  /** The same, for work that is due later. */
  public static ScheduledThreadPoolExecutor scheduled(int threads, String name) {
    ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(threads, named(name));
    pool.prestartAllCoreThreads();
    return pool;
  }
}
