package org.braid.hdfs.namenode;

import java.util.List;
import org.braid.thread.DaemonThreads;
import org.braid.thread.Turn;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done again and again for as long as a NameNode runs. Each duty has a thread of its own:
 * one that hangs on a disk, a DataNode or a lock holds up no other.
 */
final class Housekeeping implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);
  private static final long CLOSE_MILLIS = 10_000;

  /**
   * What is to be done.
   *
   * @param name of its thread
   */
  record Duty(String name, Turn.Step<InterruptedException> step) {}

  private final long pauseMillis;
  private final List<Thread> threads;
  private volatile boolean closed;

  /**
   * Begins with some duties.
   *
   * @param pauseMillis between two turns of a duty
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

  /** Ends all duties, and waits for them for 10 s. */
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
