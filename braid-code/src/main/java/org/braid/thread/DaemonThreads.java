package org.braid.thread;

import java.util.concurrent.ThreadFactory;

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
}
