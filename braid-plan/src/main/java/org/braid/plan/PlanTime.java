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
  private final Plan plan;
  private final Network network;

  /** By send, how many sends it still waits for, and who waits for it. */
  private final Map<Integer, Integer> waitsFor = new HashMap<>();

  private final Map<Integer, List<Step.Send>> waiters = new HashMap<>();

  /** The sends of the plan, in its order. */
  private final List<Step.Send> sends = new ArrayList<>();

  private enum Kind {
    OUT,
    IN,
    UP,
    DOWN
  }

  /** A direction of a link: of a node, or between a rack and the rest. */
  private record Link(Kind kind, int index) {}

  private record Ready(Step.Send send, double since) {}

  private PlanTime(Plan plan, Network network) {
    this.plan = plan;
    this.network = network;
    dependencies();
  }

  /** The predicted time. */
  static double seconds(Plan plan, Network network) {
    double value = network.volume().value();
    double slice = Math.min(value, (double) network.volume().slice());
    PlanTime time = new PlanTime(plan, network);
    return time.first(slice) + (value - slice) / slice * time.busiest(slice);
  }

  /**
   * Of some plans the fastest, then the one that crosses racks least, sends least, stands first.
   */
  static Plan fastest(List<Plan> plans, Network network) {
    record Timed(Plan plan, long nanos) {}
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

  private void dependencies() {
    // By value, the sends that have to end before it is there.
    Map<Integer, BitSet> after = new HashMap<>();
    for (Step step : plan.steps()) {
      BitSet before = new BitSet();
      if (step instanceof Step.Combine combine) {
        combine.inputs().forEach(in -> before.or(after.getOrDefault(in.value(), new BitSet())));
      } else if (step instanceof Step.Send send) {
        BitSet needed = after.getOrDefault(send.value(), new BitSet());
        waitsFor.put(send.id(), needed.cardinality());
        needed.stream()
            .forEach(id -> waiters.computeIfAbsent(id, unused -> new ArrayList<>()).add(send));
        sends.add(send);
        before.set(send.id());
      }
      after.put(step.id(), before);
    }
  }

  /** The links that a send needs, and how long it keeps each of them. */
  private Map<Link, Double> links(Step.Send send, double bytes) {
    Map<Link, Double> links = new HashMap<>();
    double own = bytes / network.rates().link();
    links.put(new Link(Kind.OUT, send.from()), own);
    links.put(new Link(Kind.IN, send.node()), own);
    int from = network.rackOf(send.from());
    int to = network.rackOf(send.node());
    if (from != to) {
      links.put(new Link(Kind.UP, from), bytes / network.uplink(from));
      links.put(new Link(Kind.DOWN, to), bytes / network.uplink(to));
    }
    return links;
  }

  /** The time until a slice of each value is where it belongs, first come first served. */
  private double first(double bytes) {
    Map<Link, Double> free = new HashMap<>();
    Map<Integer, Double> readyAt = new HashMap<>();
    PriorityQueue<Ready> queue =
        new PriorityQueue<>(
            Comparator.comparingDouble(Ready::since).thenComparingInt(ready -> ready.send().id()));
    sends.stream()
        .filter(send -> waitsFor.getOrDefault(send.id(), 0) == 0)
        .forEach(send -> queue.add(new Ready(send, 0)));
    Map<Integer, Integer> left = new HashMap<>(waitsFor);
    double last = 0;
    for (Ready next = queue.poll(); next != null; next = queue.poll()) {
      Map<Link, Double> links = links(next.send(), bytes);
      double start = next.since();
      for (Link link : links.keySet()) {
        start = Math.max(start, free.getOrDefault(link, 0.0));
      }
      double end = start;
      for (Map.Entry<Link, Double> link : links.entrySet()) {
        free.put(link.getKey(), start + link.getValue());
        end = Math.max(end, start + link.getValue());
      }
      last = Math.max(last, end);
      for (Step.Send waiter : waiters.getOrDefault(next.send().id(), List.of())) {
        double since = readyAt.merge(waiter.id(), end, Math::max);
        if (left.merge(waiter.id(), -1, Integer::sum) == 0) {
          queue.add(new Ready(waiter, since));
        }
      }
    }
    return last;
  }

  /** The time in which the busiest link serves a slice of each value that crosses it. */
  private double busiest(double bytes) {
    Map<Link, Double> busy = new HashMap<>();
    for (Step.Send send : sends) {
      links(send, bytes).forEach((link, time) -> busy.merge(link, time, Double::sum));
    }
    return busy.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
  }
}
