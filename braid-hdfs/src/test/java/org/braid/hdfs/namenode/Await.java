package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.concurrent.TimeUnit;

/** Waits for what a cluster does by itself. */
final class Await {
  private Await() {}

  /** What is waited for. */
  @FunctionalInterface
  interface Condition {
    boolean holds() throws Exception;
  }

  static void until(String what, Condition condition) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.holds()) {
      if (System.nanoTime() > end) {
        fail("waited 60 s in vain for " + what);
      }
      Thread.sleep(20);
    }
  }
}
