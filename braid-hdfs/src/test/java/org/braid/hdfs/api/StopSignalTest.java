package org.braid.hdfs.api;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class StopSignalTest {
  private final StopSignal stop = new StopSignal();

  @Test
  void workIsBrokenOffAndWhatFollowsIsNot() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<Boolean> interruptedAfter = new CompletableFuture<>();
    Thread worker =
        new Thread(
            () -> {
              try {
                stop.breakingOff(
                    () -> {
                      begun.countDown();
                      new CountDownLatch(1).await();
                    });
                interruptedAfter.completeExceptionally(new AssertionError("it ended"));
              } catch (InterruptedException e) {
                interruptedAfter.complete(Thread.currentThread().isInterrupted());
              }
            });
    worker.start();
    assertTrue(begun.await(60, TimeUnit.SECONDS));
    stop.stop();
    assertFalse(interruptedAfter.get(60, TimeUnit.SECONDS));
  }

  @Test
  void nothingIsBegunAfterTheEnd() {
    stop.stop();
    stop.breakingOff(
        () -> {
          throw new AssertionError("begun");
        });
    assertFalse(Thread.currentThread().isInterrupted());
  }

  @Test
  void anEndThatComesLaterInterruptsNobody() {
    assertThrows(
        IllegalStateException.class,
        () ->
            stop.breakingOff(
                () -> {
                  throw new IllegalStateException("failed");
                }));
    stop.stop();
    assertFalse(Thread.currentThread().isInterrupted());
  }
}
