package org.braid.plan;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Predicts how long the network takes to run a plan; reading and arithmetic are taken to keep up.
 *
 * <p>Each value of the plan has u bytes and streams in slices of s. A slice takes s/B on a node's
 * link of rate B in each direction, and s/U on the uplinks of both racks when it crosses, where U
 * is the sum of a rack's links divided by the oversubscription. Each link serves one slice after
 * the other, and a sum is sent on when all of its inputs are there. With L(s), the time until the
 * first slice of everything wanted is complete, and G(s), the time in which the busiest link serves
 * one slice of each value that crosses it,
 *
 * <pre>T = L(s) + (u - s) / s * G(s)</pre>
 *
 * <p>For k helpers, one wanted block of C bytes and links that never wait for uplinks this is
 *
 * <ul>
 *   <li>star: k C/B, the second term of PPR equation (1): L = k s/B and G = k s/B;
 *   <li>ppr: ceil(log2(k+1)) C/B (PPR section 4.2, theorem 1), with slices as well as with s = C,
 *       as the root receives in every logical step: L and G are ceil(log2(k+1)) s/B;
 *   <li>chain: (k + C/s - 1) s/B, which is about C/B ("Repair Pipelining for Erasure-Coded
 *       Storage", section 3.2): L = k s/B and G = s/B. With s = C, store and forward, it is k C/B.
 * </ul>
 */
final class PlanTime {
  private static final int OUT = 0;
  private static final int IN = 1;
  private static final int UP = 2;
  private static final int DOWN = 3;

  private final Network network;

  /** By key, the number of each direction of a link that the plan uses. */
  private final Map<Long, Integer> numbers = new HashMap<>();

  /** By send, in the order of the plan: how many sends it waits for. */
  private final List<Integer> waitsFor = new ArrayList<>();

  /** By send, the sends that wait for it. */
  private final List<List<Integer>> waiters = new ArrayList<>();

  /** By send, the links that it needs. */
  private final List<int[]> links = new ArrayList<>();

  /** By send, for how many seconds it keeps each of them for each byte. */
  private final List<double[]> costs = new ArrayList<>();

  private record Ready(int send, double since) {}

  private PlanTime(Network network) {
    this.network = network;
  }

  private static PlanTime of(Plan plan, Network network) {
    PlanTime time = new PlanTime(network);
    // By value, the sends that have to end before it is there; none where there is no entry.
    Map<Integer, BitSet> after = new HashMap<>();
    BitSet none = new BitSet();
    for (Step step : plan.steps()) {
      if (step instanceof Step.Combine combine) {
        BitSet before = new BitSet();
        combine.inputs().forEach(in -> before.or(after.getOrDefault(in.value(), none)));
        after.put(step.id(), before);
      } else if (step instanceof Step.Send send) {
        BitSet self = new BitSet();
        int number = time.add(send.from(), send.node(), after.getOrDefault(send.value(), none));
        self.set(number);
        after.put(step.id(), self);
      }
    }
    return time;
  }

  /** One value that is summed up along hops on its way to a root. */
  private static PlanTime of(List<Hop> hops, int root, Network network) {
    PlanTime time = new PlanTime(network);
    Map<Integer, BitSet> arrivals = new HashMap<>();
    BitSet none = new BitSet();
    for (Hop hop : hops) {
      int to = hop.to() == Hop.ROOTS ? root : hop.to();
      int number = time.add(hop.from(), to, arrivals.getOrDefault(hop.from(), none));
      arrivals.computeIfAbsent(to, unused -> new BitSet()).set(number);
    }
    return time;
  }

  /** Adds a send that waits for others; returns its number. */
  private int add(int sender, int receiver, BitSet needed) {
    int number = links.size();
    waitsFor.add(needed.cardinality());
    needed.stream().forEach(earlier -> waiters.get(earlier).add(number));
    waiters.add(new ArrayList<>(2));
    double out = network.slowdown(sender) / network.rates().link();
    double in = network.slowdown(receiver) / network.rates().link();
    int from = network.rackOf(sender);
    int to = network.rackOf(receiver);
    if (from == to) {
      links.add(new int[] {number(OUT, sender), number(IN, receiver)});
      costs.add(new double[] {out, in});
    } else {
      links.add(
          new int[] {
            number(OUT, sender), number(IN, receiver), number(UP, from), number(DOWN, to)
          });
      costs.add(new double[] {out, in, 1 / network.uplink(from), 1 / network.uplink(to)});
    }
    return number;
  }

  private int number(int kind, int index) {
    return numbers.computeIfAbsent((long) index * 4 + kind, key -> numbers.size());
  }

  /** The predicted time. */
  static double seconds(Plan plan, Network network) {
    return of(plan, network).seconds();
  }

  /** The predicted time of a single value that is summed up along hops on its way to a root. */
  static double seconds(List<Hop> hops, int root, Network network) {
    return of(hops, root, network).seconds();
  }

  private double seconds() {
    double value = network.volume().value();
    double slice = Math.min(value, (double) network.volume().slice());
    return first(slice) + (value - slice) / slice * busiest(slice);
  }

  /**
   * Of some trees the one along which a single value is summed up fastest; of equals the one that
   * crosses racks least, then the first. Each hop sends the value once, so that no plan is needed.
   */
  static int fastest(List<List<Hop>> trees, int root, Network network) {
    int best = 0;
    long bestNanos = Long.MAX_VALUE;
    long bestCrossings = Long.MAX_VALUE;
    for (int i = 0; i < trees.size() && trees.size() > 1; i++) {
      List<Hop> tree = trees.get(i);
      if (trees.subList(0, i).contains(tree)) {
        continue;
      }
      long nanos = Math.round(seconds(tree, root, network) * 1e9);
      long crossings =
          tree.stream()
              .filter(hop -> !network.sameRack(hop.from(), hop.to() == Hop.ROOTS ? root : hop.to()))
              .count();
      if (nanos < bestNanos || (nanos == bestNanos && crossings < bestCrossings)) {
        best = i;
        bestNanos = nanos;
        bestCrossings = crossings;
      }
    }
    return best;
  }

  /**
   * Of some plans the fastest, then the one that crosses racks least, sends least, stands first.
   */
  static Plan fastest(List<Plan> plans, Network network) {
    record Timed(Plan plan, long nanos) {}
    if (plans.size() == 1) {
      return plans.get(0);
    }
    return plans.stream()
        // Rounded, so that equal plans are equal whatever the order of additions.
        .map(plan -> new Timed(plan, Math.round(seconds(plan, network) * 1e9)))
        .min(
            Comparator.comparingLong(Timed::nanos)
                .thenComparingLong(timed -> PlanCost.crossings(timed.plan(), network))
                .thenComparingLong(timed -> PlanCost.sends(timed.plan())))
        .orElseThrow(() -> new IllegalArgumentException("no plans to choose from"))
        .plan();
  }

  /** The time until a slice of each value is where it belongs, first come first served. */
  private double first(double bytes) {
    double[] free = new double[numbers.size()];
    double[] readyAt = new double[links.size()];
    int[] left = new int[links.size()];
    PriorityQueue<Ready> queue =
        new PriorityQueue<>(Comparator.comparingDouble(Ready::since).thenComparingInt(Ready::send));
    for (int send = 0; send < left.length; send++) {
      left[send] = waitsFor.get(send);
      if (left[send] == 0) {
        queue.add(new Ready(send, 0));
      }
    }
    double last = 0;
    for (Ready next = queue.poll(); next != null; next = queue.poll()) {
      int[] used = links.get(next.send());
      double[] cost = costs.get(next.send());
      double start = next.since();
      for (int link : used) {
        start = Math.max(start, free[link]);
      }
      double end = start;
      for (int i = 0; i < used.length; i++) {
        free[used[i]] = start + cost[i] * bytes;
        end = Math.max(end, free[used[i]]);
      }
      last = Math.max(last, end);
      for (int waiter : waiters.get(next.send())) {
        readyAt[waiter] = Math.max(readyAt[waiter], end);
        if (--left[waiter] == 0) {
          queue.add(new Ready(waiter, readyAt[waiter]));
        }
      }
    }
    return last;
  }

  /** The time in which the busiest link serves a slice of each value that crosses it. */
  private double busiest(double bytes) {
    double[] busy = new double[numbers.size()];
    double most = 0;
    for (int send = 0; send < links.size(); send++) {
      int[] used = links.get(send);
      for (int i = 0; i < used.length; i++) {
        busy[used[i]] += costs.get(send)[i] * bytes;
        most = Math.max(most, busy[used[i]]);
      }
    }
    return most;
  }
}
