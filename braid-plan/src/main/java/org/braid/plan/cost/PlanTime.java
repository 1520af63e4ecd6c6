package org.braid.plan.cost;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.braid.plan.Link;
import org.braid.plan.Plan;
import org.braid.plan.Step;

/**
 * Predicts how long the network takes to run a plan. Reading and arithmetic are assumed to keep up.
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
public final class PlanTime {
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

  /** By key, the number of a link in one direction. */
  private final Map<Integer, Integer> numbers = new HashMap<>();

  private int sends;

  /** By send, in the order of the plan: how many sends it waits for. */
  private int[] waitsFor;

  /** By send, how many links it needs. */
  private int[] used;

  /** By send, from {@code MOST_LINKS} times its number on, the links that it needs. */
  private int[] links;

  /** Likewise the seconds that it uses each of them for a byte. */
  private double[] costs;

  /** By send, the last of the waits for it; by wait, the previous one, and the send that waits. */
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

  /** One value that is summed up along links on its way to a root, which sends nothing itself. */
  private static PlanTime of(List<Link> tree, Network network) {
    PlanTime time = new PlanTime(network, tree.size());
    for (int i = 0; i < tree.size(); i++) {
      Link link = tree.get(i);
      time.add(link.from(), link.to());
      for (int earlier = 0; earlier < i; earlier++) {
        if (tree.get(earlier).to() == link.from()) {
          time.await(i, earlier);
        }
      }
    }
    return time;
  }

  /** Adds a send and returns its number. */
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

  /** Makes a send wait for an earlier one. */
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

  /** The predicted time of a plan. */
  public static double seconds(Plan plan, Network network) {
    return of(plan, network).seconds();
  }

  /**
   * The predicted time of a single value that is summed up along a tree.
   *
   * @param tree its links, in an order in which what a node receives comes before what it sends
   */
  public static double seconds(List<Link> tree, Network network) {
    return of(tree, network).seconds();
  }

  private double seconds() {
    double value = network.volume().value();
    double slice = Math.min(value, (double) network.volume().slice());
    return first(slice) + (value - slice) / slice * busiest(slice);
  }

  /**
   * The fastest of some plans; of equally fast ones the one that crosses racks least, then the one
   * that sends least, then the first.
   *
   * @throws IllegalArgumentException when there are no plans
   */
  public static Plan fastest(List<Plan> plans, Network network) {
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

  /**
   * The time until the first slice of each value arrives; links serve slices in the order of their
   * arrival.
   */
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
