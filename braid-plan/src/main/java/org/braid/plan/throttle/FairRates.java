package org.braid.plan.throttle;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Rates of plans that share links. Max-min fair, in two steps: first each class of work divides its
 * share of each link among its plans, then all plans divide the rest.
 */
public final class FairRates {
  /** A link with less than this part of its capacity left is full. */
  private static final double FULL = 1e-9;

  private final ToDoubleFunction<SharedLink> capacity;
  private final List<Demand> demands;
  private final double[] rates;

  /**
   * A plan that wants to run as fast as it may.
   *
   * @param loads the number of values that it moves over each link
   */
  public record Demand(WorkClass work, Map<SharedLink, Integer> loads) {
    public Demand {
      loads = Map.copyOf(loads);
    }
  }

  private FairRates(List<Demand> demands, ToDoubleFunction<SharedLink> capacity) {
    this.demands = demands;
    this.capacity = capacity;
    rates = new double[demands.size()];
  }

  /**
   * The rates.
   *
   * @param capacity bytes a second of a link; infinite for one that is not limited
   * @return bytes a second of each value of each plan; infinite for a plan without limited links
   */
  public static double[] of(
      List<Demand> demands, Throttle throttle, ToDoubleFunction<SharedLink> capacity) {
    FairRates fair = new FairRates(demands, capacity);
    for (WorkClass work : WorkClass.values()) {
      fair.fill(work, throttle.share(work));
    }
    fair.fillAll();
    return fair.rates;
  }

  private void fill(WorkClass work, double share) {
    boolean[] open = new boolean[rates.length];
    for (int i = 0; i < open.length; i++) {
      open[i] = demands.get(i).work() == work;
    }
    fill(open, share);
  }

  private void fillAll() {
    boolean[] open = new boolean[rates.length];
    Arrays.fill(open, true);
    fill(open, 1);
  }

  /** Raises the rates of open plans alike until each meets a link whose part is used up. */
  private void fill(boolean[] open, double part) {
    Map<SharedLink, Double> left = left(open, part);
    for (int i = 0; i < open.length; i++) {
      if (open[i] && demands.get(i).loads().keySet().stream().noneMatch(left::containsKey)) {
        rates[i] = Double.POSITIVE_INFINITY;
        open[i] = false;
      }
    }
    while (true) {
      Map<SharedLink, Integer> loads = new HashMap<>();
      for (int i = 0; i < open.length; i++) {
        if (open[i]) {
          demands.get(i).loads().forEach((link, load) -> loads.merge(link, load, Integer::sum));
        }
      }
      loads.keySet().retainAll(left.keySet());
      if (loads.isEmpty()) {
        return;
      }
      double more = Double.POSITIVE_INFINITY;
      for (Map.Entry<SharedLink, Integer> entry : loads.entrySet()) {
        more = Math.min(more, Math.max(0, left(left, entry.getKey())) / entry.getValue());
      }
      double raise = more;
      loads.forEach((link, load) -> left.merge(link, -raise * load, Double::sum));
      close(open, left, raise);
    }
  }

  private void close(boolean[] open, Map<SharedLink, Double> left, double raise) {
    for (int i = 0; i < open.length; i++) {
      if (open[i]) {
        rates[i] += raise;
        for (SharedLink link : demands.get(i).loads().keySet()) {
          if (left.containsKey(link)
              && left(left, link) <= FULL * Math.max(1, capacity.applyAsDouble(link))) {
            open[i] = false;
          }
        }
      }
    }
  }

  private static double left(Map<SharedLink, Double> left, SharedLink link) {
    Double some = left.get(link);
    return some == null ? Double.POSITIVE_INFINITY : some;
  }

  /**
   * What is left of a part of the limited links.
   *
   * @param open whose rates so far count, with those of all others when the part is all
   */
  private Map<SharedLink, Double> left(boolean[] open, double part) {
    Map<SharedLink, Double> left = new HashMap<>();
    for (int i = 0; i < open.length; i++) {
      if (open[i]) {
        for (SharedLink link : demands.get(i).loads().keySet()) {
          double all = capacity.applyAsDouble(link);
          if (!Double.isInfinite(all)) {
            left.putIfAbsent(link, part * all);
          }
        }
      }
    }
    for (int i = 0; i < open.length; i++) {
      if (open[i] && rates[i] > 0) {
        double rate = rates[i];
        demands.get(i).loads().forEach((l, n) -> left.computeIfPresent(l, (x, v) -> v - rate * n));
      }
    }
    return left;
  }
}
