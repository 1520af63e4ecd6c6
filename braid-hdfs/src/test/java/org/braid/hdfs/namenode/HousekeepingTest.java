package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.braid.hdfs.namenode.Housekeeping.Duty;
import org.junit.jupiter.api.Test;

final class HousekeepingTest {
  private static final long SECONDS = 60;

  @Test
  void aDutyThatHangsHoldsUpNoOther() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    CountDownLatch turns = new CountDownLatch(3);
    Duty hanging =
        new Duty(
            "hanging",
            () -> {
              hangs.countDown();
              try {
                new CountDownLatch(1).await();
              } finally {
                ended.countDown();
              }
            });
    try (Housekeeping duties =
        new Housekeeping(1, List.of(hanging, new Duty("other", turns::countDown)))) {
      assertTrue(hangs.await(SECONDS, TimeUnit.SECONDS));
      assertTrue(turns.await(SECONDS, TimeUnit.SECONDS));
      assertEquals(1, ended.getCount());
    }
    assertEquals(0, ended.getCount(), "the end does not wait for what hangs");
  }

  @Test
  void aDutyThatFailsGoesOn() throws Exception {
    CountDownLatch turns = new CountDownLatch(3);
    Duty failing =
        new Duty(
            "failing",
            () -> {
              turns.countDown();
              throw new IOException("no disk");
            });
    try (Housekeeping duties = new Housekeeping(1, List.of(failing))) {
      assertTrue(turns.await(SECONDS, TimeUnit.SECONDS));
    }
  }
}
