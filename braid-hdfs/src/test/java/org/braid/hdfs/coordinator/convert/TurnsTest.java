package org.braid.hdfs.coordinator.convert;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.braid.hdfs.coordinator.session.Parallel;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class TurnsTest {
  private static final int TASKS = 200;

  /** Whoever is slow, fails before its turn or passes it twice keeps nobody out of order. */
  @Test
  void tasksBesideEachOtherHaveTheirTurnsInOrder() throws Exception {
    Random random = Seeds.random(TurnsTest.class);
    Turns turns = new Turns();
    List<Integer> order = Collections.synchronizedList(new ArrayList<>());
    List<Integer> expected = new ArrayList<>();
    List<Parallel.Task> tasks = new ArrayList<>();
    for (int i = 0; i < TASKS; i++) {
      int number = i;
      boolean none = random.nextInt(4) == 0;
      long nanos = random.nextInt(1_000_000);
      Turns.Turn turn = turns.of(number);
      if (!none) {
        expected.add(number);
      }
      tasks.add(
          () -> {
            try {
              LockSupport.parkNanos(nanos);
              if (none) {
                throw new IOException("nothing to do");
              } else {
                turn.await();
                order.add(number);
                turn.pass();
              }
            } catch (IOException e) {
              assertTrue(none, e.getMessage());
            } finally {
              turn.pass();
            }
          });
    }
    Parallel.run(7, tasks);
    assertEquals(expected, order);
  }
}
