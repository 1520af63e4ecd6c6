package org.braid.hdfs.namenode.ear;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class LockedTest {
  private static final int SECONDS = 30;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch working = new CountDownLatch(1);
  private final CountDownLatch mayEnd = new CountDownLatch(1);

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  private Future<Integer> slow(Locked<String, List<String>> states, String key) {
    return threads.submit(
        () ->
            states.with(
                key,
                state -> {
                  working.countDown();
                  assertTrue(await(mayEnd), "nobody let it end");
                  state.add("slow");
                  return state.size();
                }));
  }

  private static boolean await(CountDownLatch latch) {
    try {
      return latch.await(SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      return false;
    }
  }

  @Test
  void aPlacementThatTakesLongDelaysNoOtherStripe() throws Exception {
    Locked<String, List<String>> states = new Locked<>(2, ArrayList::new);
    Future<Integer> slow = slow(states, "slow");
    assertTrue(await(working), "it does not begin");
    assertEquals(1, (int) states.with("other", state -> state.add("quick") ? state.size() : 0));
    states.clear();
    assertEquals(0, (int) states.with("other", List::size));
    assertFalse(slow.isDone());
    mayEnd.countDown();
    assertEquals(1, slow.get(SECONDS, TimeUnit.SECONDS));
  }

  @Test
  void blocksOfOneStripeArePlacedOneAfterTheOther() throws Exception {
    Locked<String, List<String>> states = new Locked<>(2, ArrayList::new);
    Future<Integer> slow = slow(states, "same");
    assertTrue(await(working), "it does not begin");
    Future<Integer> next = threads.submit(() -> states.with("same", List::size));
    mayEnd.countDown();
    assertEquals(1, slow.get(SECONDS, TimeUnit.SECONDS));
    assertEquals(1, next.get(SECONDS, TimeUnit.SECONDS));
  }

  @Test
  void theStatesUsedLastAreKept() throws Exception {
    Locked<String, List<String>> states = new Locked<>(2, ArrayList::new);
    for (String key : List.of("a", "b", "a", "c", "a")) {
      states.with(key, state -> state.add(key));
    }
    assertEquals(3, (int) states.with("a", List::size));
    assertEquals(0, (int) states.with("b", List::size));
  }
}
