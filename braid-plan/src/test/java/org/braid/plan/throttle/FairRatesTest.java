package org.braid.plan.throttle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.braid.plan.throttle.FairRates.Demand;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

final class FairRatesTest {
  private static final SharedLink A = SharedLink.disk("a");
  private static final SharedLink B = SharedLink.disk("b");
  private static final SharedLink C = SharedLink.disk("c");
  private static final double FREE = Double.POSITIVE_INFINITY;

  private final Random random = Seeds.random(FairRatesTest.class);

  private static Demand repair(Map<SharedLink, Integer> loads) {
    return new Demand(WorkClass.REPAIR, loads);
  }

  private static Demand conversion(Map<SharedLink, Integer> loads) {
    return new Demand(WorkClass.CONVERSION, loads);
  }

  private static double[] rates(Map<SharedLink, Double> capacities, Demand... demands) {
    return FairRates.of(
        List.of(demands), Throttle.NONE, link -> capacities.getOrDefault(link, FREE));
  }

  @Test
  void plansShareALinkByWhatTheyMoveOverIt() {
    assertArrayEquals(
        new double[] {25, 25}, rates(Map.of(A, 100.0), repair(Map.of(A, 3)), repair(Map.of(A, 1))));
  }

  @Test
  void aPlanWithoutLimitedLinksIsFree() {
    assertArrayEquals(
        new double[] {FREE, 100},
        rates(Map.of(A, 100.0), repair(Map.of(B, 1)), conversion(Map.of(A, 1))));
  }

  @Test
  void whatOneLinkHoldsBackOthersUse() {
    assertArrayEquals(
        new double[] {10, 10, 90},
        rates(
            Map.of(A, 20.0, B, 100.0),
            repair(Map.of(A, 1)),
            repair(Map.of(A, 1, B, 1)),
            repair(Map.of(B, 1))),
        1e-6);
  }

  @Test
  void bothClassesHaveTheirSharesWhateverTheNumberOfPlans() {
    List<Demand> demands = new ArrayList<>(List.of(conversion(Map.of(A, 1))));
    for (int i = 0; i < 70; i++) {
      demands.add(repair(Map.of(A, 1)));
    }
    double[] rates = FairRates.of(demands, Throttle.NONE, link -> 100);
    assertArrayEquals(new double[] {30, 1}, new double[] {rates[0], rates[70]}, 1e-6);
  }

  @Test
  void anUnusedShareIsLent() {
    assertArrayEquals(new double[] {100}, rates(Map.of(A, 100.0), conversion(Map.of(A, 1))), 1e-6);
    // Repair cannot use its share of A, as B holds it back.
    assertArrayEquals(
        new double[] {5, 95},
        rates(Map.of(A, 100.0, B, 5.0), repair(Map.of(A, 1, B, 1)), conversion(Map.of(A, 1))),
        1e-6);
  }

  @Test
  void aLinkWithoutCapacityStopsItsPlansAlone() {
    assertArrayEquals(
        new double[] {0, 100},
        rates(Map.of(A, 0.0, B, 100.0), repair(Map.of(A, 1, B, 1)), repair(Map.of(B, 1))),
        1e-6);
  }

  @Test
  void ratesFitAndNothingIsLeftThatAPlanCouldUse() {
    for (int round = 0; round < 300; round++) {
      Map<SharedLink, Double> capacities = new HashMap<>();
      for (SharedLink link : List.of(A, B, C, SharedLink.CLUSTER)) {
        if (random.nextInt(4) > 0) {
          capacities.put(link, random.nextInt(5) * 1e6 * random.nextDouble());
        }
      }
      ToDoubleFunction<SharedLink> capacity = link -> capacities.getOrDefault(link, FREE);
      List<Demand> demands = new ArrayList<>();
      for (int i = 0; i < 1 + random.nextInt(12); i++) {
        Map<SharedLink, Integer> loads = new HashMap<>();
        for (SharedLink link : List.of(A, B, C, SharedLink.CLUSTER)) {
          if (random.nextBoolean()) {
            loads.put(link, 1 + random.nextInt(6));
          }
        }
        demands.add(random.nextBoolean() ? repair(loads) : conversion(loads));
      }
      check(demands, FairRates.of(demands, Throttle.NONE, capacity), capacity);
    }
  }

  private static void check(
      List<Demand> demands, double[] rates, ToDoubleFunction<SharedLink> capacity) {
    Map<SharedLink, Double> used = new HashMap<>();
    for (int i = 0; i < rates.length; i++) {
      double rate = rates[i];
      if (!Double.isInfinite(rate)) {
        demands.get(i).loads().forEach((link, n) -> used.merge(link, n * rate, Double::sum));
      }
    }
    used.forEach(
        (link, bytes) ->
            assertTrue(bytes <= capacity.applyAsDouble(link) + 1, link + ": " + bytes));
    for (Demand demand : demands) {
      assertTrue(
          demand.loads().keySet().stream()
                  .allMatch(l -> Double.isInfinite(capacity.applyAsDouble(l)))
              || demand.loads().keySet().stream()
                  .anyMatch(l -> used.getOrDefault(l, 0.0) >= capacity.applyAsDouble(l) - 1),
          "nothing holds " + demand + " back");
    }
    for (WorkClass work : WorkClass.values()) {
      double[] alone =
          FairRates.of(
              demands.stream().filter(demand -> demand.work() == work).toList(),
              Throttle.NONE,
              link -> Throttle.NONE.share(work) * capacity.applyAsDouble(link));
      int at = 0;
      for (int i = 0; i < rates.length; i++) {
        if (demands.get(i).work() == work) {
          assertTrue(rates[i] >= alone[at++] * (1 - 1e-6) - 1, "less than its class's share");
        }
      }
    }
  }
}
