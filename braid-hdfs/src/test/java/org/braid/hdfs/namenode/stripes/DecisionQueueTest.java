package org.braid.hdfs.namenode.stripes;

import static org.braid.hdfs.namenode.stripes.DecisionQueue.FIRST_PAUSE_MILLIS;
import static org.braid.hdfs.namenode.stripes.DecisionQueue.LAST_PAUSE_MILLIS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class DecisionQueueTest {
  private final DecisionQueue queue = new DecisionQueue();

  private List<Long> due(long now) {
    queue.advance(now);
    return queue.take(10, id -> true);
  }

  @Test
  void blocksAreTakenOnceAndInOrder() {
    queue.offer(List.of(3L, 1L));
    queue.offer(List.of(2L, 3L));
    assertTrue(queue.all(id -> id < 4));
    assertFalse(queue.all(id -> id < 3));
    assertEquals(List.of(1L), queue.take(5, id -> id == 1));
    assertEquals(List.of(3L), queue.take(1, id -> true));
    assertEquals(List.of(2L), due(0));
    assertTrue(queue.isEmpty());
  }

  /** However often a block is offered meanwhile, as by each veto of a deletion. */
  @Test
  void anUndecidedBlockWaitsLongerEachTime() {
    queue.offer(List.of(1L));
    long now = 0;
    long pause = FIRST_PAUSE_MILLIS;
    for (int i = 0; i < 10; i++) {
      assertEquals(List.of(1L), due(now));
      queue.undecided(1, now);
      queue.offer(List.of(1L));
      assertEquals(List.of(), due(now + pause - 1));
      now += pause;
      pause = Math.min(LAST_PAUSE_MILLIS, 2 * pause);
    }
    assertEquals(LAST_PAUSE_MILLIS, pause);
    assertEquals(List.of(1L), due(now));
    queue.settled(1);
    queue.offer(List.of(1L));
    assertEquals(List.of(1L), due(now));
  }

  /** As when the copy arrives on the node that a block is to have its home on. */
  @Test
  void aBlockThatHasOtherReplicasThanWhenItCouldNotBeDecidedIsLetInAtOnce() {
    queue.offer(Map.of(1L, Set.of("a", "b")));
    long now = 0;
    for (int i = 0; i < 10; i++, now += LAST_PAUSE_MILLIS) {
      assertEquals(List.of(1L), due(now));
      queue.undecided(1, now);
    }
    queue.offer(Map.of(1L, Set.of("b", "a")));
    assertEquals(List.of(), due(now - 1));
    queue.offer(Map.of(1L, Set.of("a", "b", "c")));
    assertEquals(List.of(1L), due(now - 1));
    queue.undecided(1, now);
    assertEquals(List.of(), due(now + FIRST_PAUSE_MILLIS - 1));
    assertEquals(List.of(1L), due(now + FIRST_PAUSE_MILLIS));
  }

  @Test
  void whatNoPassFindsAnyMoreIsForgotten() {
    queue.undecided(1, 0);
    queue.undecided(2, 0);
    queue.offer(List.of(2L, 3L));
    queue.passed();
    assertEquals(List.of(3L), due(0));
    assertEquals(List.of(2L), due(FIRST_PAUSE_MILLIS));
  }

  /** Where it was offered the pass may have been already. */
  @Test
  void whatIsOfferedDuringAPassIsKnownUntilTheEndOfTheNextOne() {
    queue.offer(List.of(1L));
    queue.passed();
    assertEquals(Set.of(1L), queue.lately());
    queue.offer(List.of(2L));
    assertEquals(Set.of(1L, 2L), queue.lately());
    queue.passed();
    assertEquals(Set.of(2L), queue.lately());
    queue.passed();
    assertEquals(Set.of(), queue.lately());
  }
}
