package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.braid.hdfs.time.FakeTicker;
import org.junit.jupiter.api.Test;

final class CutOffTest {
  private final FakeTicker ticker = new FakeTicker();
  private boolean answers = true;
  private boolean nameNode = true;
  private int asked;

  private final CutOff cutOff =
      new CutOff(
          () -> {
            asked++;
            if (!nameNode) {
              throw new IOException("no NameNode");
            }
            return answers;
          },
          60_000,
          ticker);

  private boolean after(long seconds) throws InterruptedException {
    boolean is = cutOff.is();
    for (int i = 0; i < seconds; i++) {
      ticker.sleep(1000);
      is = cutOff.is();
    }
    return is;
  }

  @Test
  void asLongAsOneAnswersItIsNot() throws Exception {
    assertFalse(after(600));
    assertEquals(40, asked);
  }

  @Test
  void oneThatNobodyAnswersForAMinuteIs() throws Exception {
    assertFalse(after(30));
    answers = false;
    assertFalse(after(59));
    assertTrue(after(1));
    // An answer ends it.
    answers = true;
    assertFalse(after(15));
  }

  @Test
  void aMinuteBeginsAnewWithTheLease() throws Exception {
    answers = false;
    assertTrue(after(60));
    cutOff.begin();
    assertFalse(after(59));
    assertTrue(after(1));
  }

  @Test
  void whatTheNameNodeDoesNotSayIsNothingAgainstDataNodes() throws Exception {
    answers = false;
    assertFalse(after(45));
    nameNode = false;
    assertFalse(after(600));
  }

  /** A daemon that ends must not wait for a NameNode that is away. */
  @Test
  void whatWasIsToldWithoutAsking() throws Exception {
    answers = false;
    ticker.sleep(600_000);
    assertFalse(cutOff.was());
    assertEquals(0, asked);
    assertTrue(cutOff.is());
    assertTrue(cutOff.was());
    assertEquals(1, asked);
  }

  /** A NameNode that is away may be asked for minutes; the daemon is to end within seconds. */
  @Test
  void whoComesWhileOneAsksDoesNotWait() throws Exception {
    CountDownLatch asking = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    CutOff slow =
        new CutOff(
            () -> {
              asking.countDown();
              assertDoesNotThrow(() -> over.await());
              throw new IOException("no NameNode");
            },
            60_000,
            ticker);
    ticker.sleep(20_000);
    CompletableFuture<Boolean> first = CompletableFuture.supplyAsync(slow::is);
    asking.await();
    ticker.sleep(600_000);
    assertFalse(CompletableFuture.supplyAsync(slow::is).get(30, TimeUnit.SECONDS));
    over.countDown();
    assertFalse(first.get(30, TimeUnit.SECONDS));
  }
}
