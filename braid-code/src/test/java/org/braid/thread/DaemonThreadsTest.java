package org.braid.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadPoolExecutor;
import org.junit.jupiter.api.Test;

/** Threads that end with their process. */
final class DaemonThreadsTest {
  @Test
  void threadIsADaemonThatIsNotStarted() {
    Thread thread = DaemonThreads.of("braid-test", () -> {});
    assertTrue(thread.isDaemon());
    assertEquals("braid-test", thread.getName());
    assertEquals(Thread.State.NEW, thread.getState());
  }

  @Test
  void threadsOfAPoolAreDaemonsOfItsName() {
    ExecutorService pool = Executors.newSingleThreadExecutor(DaemonThreads.named("braid-test"));
    try {
      Thread thread = CompletableFuture.supplyAsync(Thread::currentThread, pool).join();
      assertTrue(thread.isDaemon());
      assertFalse(Thread.currentThread().isDaemon(), "the thread of the test");
      assertEquals("braid-test", thread.getName());
    } finally {
      pool.shutdownNow();
    }
  }

  /** Where there are no more threads, work would stay in the queue of a pool that has none. */
  @Test
  void threadsOfPoolsRunBeforeThereIsWork() throws Exception {
    ThreadPoolExecutor fixed = (ThreadPoolExecutor) DaemonThreads.fixed(3, "braid-test");
    ThreadPoolExecutor scheduled = DaemonThreads.scheduled(2, "braid-test");
    try {
      assertEquals(3, fixed.getPoolSize());
      assertEquals(2, scheduled.getPoolSize());
      assertTrue(fixed.submit(() -> Thread.currentThread().isDaemon()).get());
      assertTrue(scheduled.submit(() -> Thread.currentThread().isDaemon()).get());
    } finally {
      fixed.shutdownNow();
      scheduled.shutdownNow();
    }
  }
}
