package org.braid.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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
}
