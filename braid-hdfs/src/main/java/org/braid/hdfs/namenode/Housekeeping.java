package org.braid.hdfs.namenode;

import java.util.List;
import org.braid.thread.DaemonThreads;
import org.braid.thread.Turn;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the periodic duties of a NameNode. Each duty has its own thread, so that a duty that hangs
 * on a disk, a DataNode or a lock does not delay the others.
 */
final class Housekeeping implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);
  private static final long CLOSE_MILLIS = 10_000;

  /**
   * A periodic duty.
   *
   * @param name name of its thread
   * @param step one iteration
   */
  record Duty(String name, Turn.Step<InterruptedException> step) {}

  private final long pauseMillis;
  private final List<Thread> threads;
  private volatile boolean closed;

  /**
   * Starts the duties.
   *
   * @param pauseMillis pause between two iterations of a duty
   */
  Housekeeping(long pauseMillis, List<Duty> duties) {
    this.pauseMillis = pauseMillis;
    this.threads =
        duties.stream().map(duty -> DaemonThreads.of(duty.name(), () -> run(duty))).toList();
    threads.forEach(Thread::start);
  }

  private void run(Duty duty) {
    try {
      while (!closed) {
        Turn.take(duty.step(), e -> failed(duty, e));
        Thread.sleep(pauseMillis);
      }
    } catch (InterruptedException e) {
      LOG.debug("{} ends", duty.name());
    }
  }

  private void failed(Duty duty, Exception e) {
    if (!closed) {
      LOG.warn("{} failed, it goes on: {}", duty.name(), e.getMessage(), e);
    }
  }

  /** Stops all duties and waits for each of them for at most 10 s. */
  @Override
  public void close() {
    closed = true;
    threads.forEach(Thread::interrupt);
    try {
      for (Thread thread : threads) {
        thread.join(CLOSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
