package org.braid.plan.throttle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.braid.plan.throttle.FairRates.Demand;
import org.braid.plan.throttle.SharedLink.Kind;
import org.braid.plan.throttle.ThrottledRuns.Change;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

final class ThrottledRunsTest {
  private static final SharedLink A = SharedLink.disk("a");
  private static final SharedLink B = SharedLink.disk("b");
  private static final double FREE = Double.POSITIVE_INFINITY;
  private static final double MB = 1e6;

  private final Random random = Seeds.random(ThrottledRunsTest.class);
  private final ThrottledRuns runs = new ThrottledRuns();
  private double limit = MB;

  ThrottledRunsTest() {
    limit();
  }

  private void limit() {
    runs.limit(
        new Throttle(Map.of(Kind.DISK, (long) limit), Throttle.NONE.shares(), 0), link -> limit);
  }

  private long add(SharedLink link, long length) {
    return runs.add(new Demand(WorkClass.REPAIR, Map.of(link, 1)), length, 0);
  }

  @Test
  void theFirstPlanHasTheLinkAndTheSecondWaitsUntilItIsSlower() {
    long first = add(A, 100);
    assertEquals(List.of(), runs.lower());
    assertEquals(List.of(new Change(first, 0.95 * MB)), runs.raise(0));
    long second = add(A, 100);
    List<Change> lower = runs.lower();
    assertEquals(List.of(new Change(first, 0.475 * MB)), lower);
    assertEquals(List.of(), runs.raise(0), "the first plan may still use all");
    runs.confirm(lower.get(0), 0);
    assertEquals(List.of(new Change(second, 0.475 * MB)), runs.raise(0));
    runs.remove(second);
    assertEquals(List.of(), runs.lower());
    assertEquals(List.of(new Change(first, 0.95 * MB)), runs.raise(0), "nothing is left unused");
  }

  @Test
  void plansOnOtherLinksDoNotWait() {
    add(A, 100);
    runs.lower();
    runs.raise(0);
    add(A, 100);
    long other = add(B, 100);
    runs.lower();
    assertEquals(List.of(new Change(other, 0.95 * MB)), runs.raise(0));
  }

  @Test
  void aLimitSetMeanwhileHoldsForPlansThatRun() {
    limit = FREE;
    limit();
    long run = add(A, 100);
    runs.lower();
    assertEquals(List.of(new Change(run, FREE)), runs.raise(0));
    limit = MB;
    limit();
    assertEquals(List.of(new Change(run, 0.95 * MB)), runs.lower());
    limit = 0;
    limit();
    assertEquals(List.of(new Change(run, 0)), runs.lower());
    runs.confirm(new Change(run, 0), 0);
    assertEquals(List.of(), runs.raise(0));
    limit = FREE;
    limit();
    runs.lower();
    assertEquals(List.of(new Change(run, FREE)), runs.raise(0));
  }

  @Test
  void whatIsUrgentPassesAndTakesNothingFromOthers() {
    long slow = add(A, 100);
    long other = add(A, 100);
    runs.lower();
    runs.raise(0);
    runs.hurry(slow, 0);
    assertEquals(List.of(), runs.lower());
    List<Change> raised = runs.raise(0);
    assertTrue(raised.contains(new Change(slow, FREE)), raised.toString());
    assertTrue(raised.contains(new Change(other, 0.95 * MB)), raised.toString());
    limit = 0;
    limit();
    assertEquals(List.of(new Change(other, 0)), runs.lower());
  }

  @Test
  void aPlanIsHeldBackUntilItsBytesMayHavePassed() {
    limit = 100_000 / ThrottledRuns.GRANTED;
    limit();
    long run = add(A, 200_000);
    assertEquals(1000, runs.heldMillis(run, 1000), "it has no rate yet");
    runs.lower();
    runs.raise(1000);
    assertEquals(1500, runs.heldMillis(run, 1500));
    assertEquals(3000.0, (double) runs.heldMillis(run, 3000), 2);
    assertEquals(3000.0, (double) runs.heldMillis(run, 60_000), 2);
    assertEquals(0, runs.heldMillis(99, 60_000));
  }

  /** Plans come and go, and limits change, while confirmations take their time. */
  @Test
  void grantedRatesNeverExceedALinkOnceLoweringIsConfirmed() {
    List<Long> running = new ArrayList<>();
    List<Change> asked = new ArrayList<>();
    double most = limit;
    for (int step = 0; step < 3000; step++) {
      switch (random.nextInt(6)) {
        case 0, 1 -> running.add(add(random.nextBoolean() ? A : B, 1000));
        case 2 -> {
          if (!running.isEmpty()) {
            runs.remove(running.remove(random.nextInt(running.size())));
          }
        }
        case 3 -> {
          asked.forEach(change -> runs.confirm(change, 0));
          asked.clear();
          if (runs.lower().isEmpty()) {
            most = limit;
          }
        }
        case 4 -> {
          if (random.nextInt(20) == 0) {
            limit = random.nextInt(4) * MB;
            limit();
            most = Math.max(most, limit);
          }
        }
        default -> {
          asked.addAll(runs.lower());
          runs.raise(0);
        }
      }
      for (SharedLink link : List.of(A, B)) {
        assertTrue(runs.granted(link) <= most + 1, link + " at step " + step);
      }
    }
  }
}
