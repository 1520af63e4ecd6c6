package org.braid.placement.grouping;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.NoSuchElementException;
import java.util.Random;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

class BlockQueueTest {
  @Test
  void blocksComeOutInTheOrderInWhichTheyWereAdded() {
    Random random = Seeds.random(BlockQueueTest.class);
    BlockQueue queue = new BlockQueue();
    Deque<Integer> expected = new ArrayDeque<>();
    for (int i = 0; i < 10_000; i++) {
      if (expected.isEmpty() || random.nextInt(20) < 11) {
        queue.add(i);
        expected.add(i);
      } else {
        assertEquals(expected.remove(), queue.remove());
      }
      assertEquals(expected.size(), queue.size());
      if (i % 100 == 0) {
        assertArrayEquals(expected.stream().mapToInt(block -> block).toArray(), queue.blocks());
      }
    }
  }

  @Test
  void anEmptyQueueGivesNothing() {
    BlockQueue queue = new BlockQueue();
    queue.add(1);
    assertEquals(1, queue.remove());
    assertThrows(NoSuchElementException.class, queue::remove);
  }
}
