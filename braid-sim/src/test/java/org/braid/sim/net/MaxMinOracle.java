package org.braid.sim.net;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Max-min fair rates by the definition: all flows rise together, and whoever meets a full link
 * stops. Written apart from the model, for its tests: every step takes all flows and all links.
 */
final class MaxMinOracle {
  private MaxMinOracle() {}

  /** The rate of each flow. */
  static double[] rates(List<int[]> flows, double[] capacities) {
    double[] rates = new double[flows.size()];
    Set<Integer> rising = new HashSet<>();
    for (int flow = 0; flow < rates.length; flow++) {
      rising.add(flow);
    }
    while (!rising.isEmpty()) {
      double step = Double.POSITIVE_INFINITY;
      for (int link = 0; link < capacities.length; link++) {
        int users = users(flows, rising, link);
        if (users > 0) {
          step = Math.min(step, (capacities[link] - used(flows, rates, link)) / users);
        }
      }
      for (int flow : rising) {
        rates[flow] += step;
      }
      Set<Integer> stopped = new HashSet<>();
      for (int link = 0; link < capacities.length; link++) {
        if (used(flows, rates, link) >= capacities[link] * (1 - 1e-12)) {
          for (int flow : rising) {
            if (uses(flows.get(flow), link)) {
              stopped.add(flow);
            }
          }
        }
      }
      rising.removeAll(stopped);
    }
    return rates;
  }

  private static int users(List<int[]> flows, Set<Integer> some, int link) {
    return (int) some.stream().filter(flow -> uses(flows.get(flow), link)).count();
  }

  private static double used(List<int[]> flows, double[] rates, int link) {
    double sum = 0;
    for (int flow = 0; flow < rates.length; flow++) {
      sum += uses(flows.get(flow), link) ? rates[flow] : 0;
    }
    return sum;
  }

  private static boolean uses(int[] flow, int link) {
    for (int other : flow) {
      if (other == link) {
        return true;
      }
    }
    return false;
  }

  /**
   * When flows end that begin at given times, by the oracle's rates between each two events.
   *
   * @param begins in seconds, ascending
   */
  static double[] ends(List<int[]> flows, double[] begins, double[] bytes, double[] capacities) {
    double[] left = bytes.clone();
    double[] ends = new double[left.length];
    double now = 0;
    int begun = 0;
    Set<Integer> active = new HashSet<>();
    while (begun < left.length || !active.isEmpty()) {
      List<Integer> order = active.stream().sorted().toList();
      double[] rates = rates(order.stream().map(flows::get).toList(), capacities);
      double next = begun < left.length ? begins[begun] : Double.POSITIVE_INFINITY;
      int ending = -1;
      for (int i = 0; i < rates.length; i++) {
        double end = now + left[order.get(i)] / rates[i];
        if (end < next) {
          next = end;
          ending = order.get(i);
        }
      }
      for (int i = 0; i < rates.length; i++) {
        left[order.get(i)] -= rates[i] * (next - now);
      }
      now = next;
      if (ending >= 0) {
        ends[ending] = now;
        active.remove(ending);
      } else {
        active.add(begun++);
      }
    }
    return ends;
  }
}
