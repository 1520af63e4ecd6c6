package org.braid.hdfs.namenode.deferral;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The threads on which silent nodes are asked. */
final class QuestionThreadsTest {
  @Test
  void manyNodesThatFallSilentAtOnceAreAllAskedOnFewThreads() throws Exception {
    int nodes = 1000;
    ThreadPoolExecutor threads = HeartbeatServer.questions();
    CountDownLatch answers = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    try {
      for (int i = 0; i < nodes; i++) {
        threads.execute(
            () -> {
              try {
                answers.await();
                asked.incrementAndGet();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
      }
      assertTrue(threads.getPoolSize() <= 200, threads.getPoolSize() + " threads");
    } finally {
      answers.countDown();
      threads.shutdown();
    }
    assertTrue(threads.awaitTermination(1, TimeUnit.MINUTES));
    assertEquals(nodes, asked.get());
  }
}
