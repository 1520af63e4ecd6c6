package org.braid.plan;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.braid.plan.TreePlanner.Tree;

/**
 * Predicts how long the network takes to run a plan; reading and arithmetic are taken to keep up.
 *
 * <p>Each value of the plan has u bytes and streams in slices of s. A slice takes s/B on a node's
 * link of rate B in each direction, and s/U on the uplinks of both racks when it crosses, where U
 * is the sum of a rack's links divided by the oversubscription; likewise on the links of both sites
 * when it goes from one to another. Each link serves one slice after the other, and a sum is sent
 * on when all of its inputs are there. With L(s), the time until the first slice of everything
 * wanted is complete, and G(s), the time in which the busiest link serves one slice of each value
 * that crosses it,
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
  private static final int SITE_OUT = 4;
  private static final int SITE_IN = 5;
  private static final int KINDS = 6;

  /** Links that one send needs at most: one of each kind. */
  private static final int MOST_LINKS = KINDS;

  private static final int NONE = -1;

  private final Network network;

  /** By key, the number of each direction of a link that the plan uses. */
  private final Map<Integer, Integer> numbers = new HashMap<>();

  private int sends;

  /** By send, in the order of the plan: how many sends it waits for. */
  private int[] waitsFor;

  /** By send, how many links it needs. */
  private int[] used;

  /** By send, from {@code MOST_LINKS} times its number on, the links that it needs. */
  private int[] links;

  /** Likewise for how many seconds it keeps each of them for each byte. */
  private double[] costs;

  /** By send, the last of its waits; by wait, the one before, and the send that waits. */
  private int[] lastWait;

  private int[] waitBefore;
  private int[] waiter;
  private int waits;

  /** A send that may begin. */
  private record Ready(int send, double since) implements Comparable<Ready> {
    @Override
    public int compareTo(Ready other) {
      int earlier = Double.compare(since, other.since);
      return earlier != 0 ? earlier : Integer.compare(send, other.send);
    }
  }

  private PlanTime(Network network, int expected) {
    this.network = network;
    waitsFor = new int[expected];
    used = new int[expected];
    lastWait = new int[expected];
    links = new int[MOST_LINKS * expected];
    costs = new double[MOST_LINKS * expected];
    waitBefore = new int[expected];
    waiter = new int[expected];
  }

  private static PlanTime of(Plan plan, Network network) {
    PlanTime time = new PlanTime(network, plan.steps().size());
    // By value, the sends that have to end before it is there; none where there is no entry.
    Map<Integer, BitSet> after = new HashMap<>();
    BitSet none = new BitSet();
    for (Step step : plan.steps()) {
      if (step instanceof Step.Combine combine) {
        BitSet before = new BitSet();
        combine.inputs().forEach(in -> before.or(after.getOrDefault(in.value(), none)));
        after.put(step.id(), before);
      } else if (step instanceof Step.Send send) {
        int number = time.add(send.from(), send.node());
        after.getOrDefault(send.value(), none).stream().forEach(from -> time.await(number, from));
        BitSet self = new BitSet();
        self.set(number);
        after.put(step.id(), self);
      }
    }
    return time;
  }

  /** One value that is summed up along hops on its way to a root, which sends nothing itself. */
  private static PlanTime of(List<Hop> hops, int root, Network network) {
    PlanTime time = new PlanTime(network, hops.size());
    for (int i = 0; i < hops.size(); i++) {
      Hop hop = hops.get(i);
      time.add(hop.from(), hop.to() == Hop.ROOTS ? root : hop.to());
      for (int earlier = 0; earlier < i; earlier++) {
        if (hops.get(earlier).to() == hop.from()) {
          time.await(i, earlier);
        }
      }
    }
    return time;
  }

  /** Adds a send; returns its number. */
  private int add(int sender, int receiver) {
    int number = sends++;
    lastWait[number] = NONE;
    double link = network.rates().link();
    use(number, OUT, sender, network.slowdown(sender) / link);
    use(number, IN, receiver, network.slowdown(receiver) / link);
    int from = network.rackOf(sender);
    int to = network.rackOf(receiver);
    if (from != to) {
      use(number, UP, from, 1 / network.uplink(from));
      use(number, DOWN, to, 1 / network.uplink(to));
      int fromSite = network.siteOf(sender);
      int toSite = network.siteOf(receiver);
      if (fromSite != toSite) {
        use(number, SITE_OUT, fromSite, 1 / network.siteLink(fromSite));
        use(number, SITE_IN, toSite, 1 / network.siteLink(toSite));
      }
    }
    return number;
  }

  private void use(int send, int kind, int index, double perByte) {
    int place = MOST_LINKS * send + used[send]++;
    Integer known = numbers.putIfAbsent(KINDS * index + kind, numbers.size());
    links[place] = known == null ? numbers.size() - 1 : known;
    costs[place] = perByte;
  }

  /** A send waits for an earlier one. */
  private void await(int send, int earlier) {
    if (waits == waiter.length) {
      waiter = Arrays.copyOf(waiter, 2 * waits);
      waitBefore = Arrays.copyOf(waitBefore, 2 * waits);
    }
    waitsFor[send]++;
    waiter[waits] = send;
    waitBefore[waits] = lastWait[earlier];
    lastWait[earlier] = waits++;
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
  static int fastest(List<Tree> trees, int root, Network network) {
    int best = 0;
    long bestNanos = Long.MAX_VALUE;
    long bestCrossings = Long.MAX_VALUE;
    for (int i = 0; i < trees.size() && trees.size() > 1; i++) {
      List<Hop> tree = trees.get(i).hops();
      if (trees.subList(0, i).stream().anyMatch(t -> t.hops().equals(tree))) {
        continue;
      }
      long nanos = Math.round(seconds(tree, root, network) * 1e9);
      long crossings = crossings(tree, root, network);
      if (nanos < bestNanos || (nanos == bestNanos && crossings < bestCrossings)) {
        best = i;
        bestNanos = nanos;
        bestCrossings = crossings;
      }
    }
    return best;
  }

  private static long crossings(List<Hop> tree, int root, Network network) {
    long crossings = 0;
    for (Hop hop : tree) {
      int to = hop.to() == Hop.ROOTS ? root : hop.to();
      crossings += network.sameRack(hop.from(), to) ? 0 : 1;
    }
    return crossings;
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
    double[] readyAt = new double[sends];
    int[] left = Arrays.copyOf(waitsFor, sends);
    PriorityQueue<Ready> queue = new PriorityQueue<>();
    for (int send = 0; send < sends; send++) {
      if (left[send] == 0) {
        queue.add(new Ready(send, 0));
      }
    }
    double last = 0;
    for (Ready next = queue.poll(); next != null; next = queue.poll()) {
      int from = MOST_LINKS * next.send();
      int to = from + used[next.send()];
      double start = next.since();
      for (int place = from; place < to; place++) {
        start = Math.max(start, free[links[place]]);
      }
      double end = start;
      for (int place = from; place < to; place++) {
        free[links[place]] = start + costs[place] * bytes;
        end = Math.max(end, free[links[place]]);
      }
      last = Math.max(last, end);
      for (int wait = lastWait[next.send()]; wait != NONE; wait = waitBefore[wait]) {
        int waiting = waiter[wait];
        readyAt[waiting] = Math.max(readyAt[waiting], end);
        if (--left[waiting] == 0) {
          queue.add(new Ready(waiting, readyAt[waiting]));
        }
      }
    }
    return last;
  }

  /** The time in which the busiest link serves a slice of each value that crosses it. */
  private double busiest(double bytes) {
    double[] busy = new double[numbers.size()];
    double most = 0;
    for (int send = 0; send < sends; send++) {
      for (int i = 0; i < used[send]; i++) {
        int place = MOST_LINKS * send + i;
        busy[links[place]] += costs[place] * bytes;
        most = Math.max(most, busy[links[place]]);
      }
    }
    return most;
  }
}
