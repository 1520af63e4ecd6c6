package org.braid.hdfs.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class RecentAnswerTest {
  private final AtomicLong millis = new AtomicLong(5);
  private boolean failing;
  private int asked;

  private final RecentAnswer<Integer> answer =
      new RecentAnswer<>(
          100,
          millis::get,
          () -> {
            if (failing) {
              throw new IllegalStateException("not now");
            }
            return ++asked;
          });

  @Test
  void manyCallsAskOnce() {
    for (int i = 0; i < 1000; i++) {
      assertEquals(1, answer.get());
    }
    millis.addAndGet(100);
    assertEquals(1, answer.get());
  }

  @Test
  void anOldAnswerIsAskedForAgain() {
    assertEquals(1, answer.get());
    millis.addAndGet(101);
    assertEquals(2, answer.get());
  }

  @Test
  void aFailureIsNoAnswer() {
    failing = true;
    assertThrows(IllegalStateException.class, answer::get);
    failing = false;
    assertEquals(1, answer.get());
  }
}
