package org.braid.sim.net;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.braid.sim.time.Simulation;
import org.jspecify.annotations.Nullable;

/**
 * Flows that share links max-min fairly, as long TCP connections roughly do: no flow can get more
 * without one that has no more than it getting less.
 *
 * <p>A rate is right when the flow has a bottleneck: a full link on which no flow is faster. When
 * flows begin or end, only those that have lost their bottleneck or are one to others get new
 * rates: these are filled up together while all others keep theirs, and whoever then has no
 * bottleneck, or more than a flow that the same link holds back, joins them, until nobody does. The
 * result is that of filling up all flows anew, but its cost is that of the part that changes.
 */
public final class FairFlows implements NetworkModel {
  /** Rates that differ by less count as equal. */
  private static final double EPSILON = 1e-9;

  private final Simulation simulation;
  private final Fabric fabric;
  private final Observer observer;
  private final @Nullable Flows[] flowsOf;
  private final double[] residual;
  private final int[] unfrozen;

  /** By link, the number of the last refill that touched it. */
  private final int[] touchedIn;

  /** By touched link, its open flows, and what the others leave to them. */
  private final int[] opened;

  private final double[] left;

  /** By touched link, no less than the rate of its fastest flow that is not open. */
  private final double[] fastest;

  /** By touched link, no more than the least rate of those that are not open and that it holds. */
  private final double[] slowestHeld;

  /** By touched link, the rate of the open flows that it holds back, and of its fastest one. */
  private final double[] heldOpen;

  private final double[] fastestOpen;

  private final List<Flow> open = new ArrayList<>();
  private int[] touched = new int[64];
  private int touchedCount;

  /** Open flows whose links are touched. */
  private int touchedFlows;

  /**
   * Touched links, the one that fills up first on top, by what each had left for a flow when it was
   * last looked at. As that only grows while others fill up, a link whose figure is still true when
   * it comes to the top is the next one.
   */
  private int[] heap = new int[64];

  private double[] keys = new double[64];
  private int heaped;
  private int refills;
  private boolean refillDue;
  private long flows;

  private static final class Flow {
    final long number;
    final int[] links;
    final int[] places;
    final Runnable done;
    double remaining;
    double rate;
    double filled;

    /** The link that held it back in the last filling. */
    int heldBackBy;

    boolean isOpen;
    boolean frozen;
    long settledAt;
    Simulation.@Nullable Event end;

    Flow(long number, int[] links, long bytes, Runnable done, long now) {
      this.number = number;
      this.links = links;
      this.places = new int[links.length];
      this.done = done;
      remaining = bytes;
      settledAt = now;
    }
  }

  /** The flows on a link. */
  private static final class Flows {
    Flow[] all = new Flow[4];
    int[] positions = new int[4];
    int size;

    void add(Flow flow, int position) {
      if (size == all.length) {
        all = Arrays.copyOf(all, 2 * size);
        positions = Arrays.copyOf(positions, 2 * size);
      }
      all[size] = flow;
      positions[size] = position;
      flow.places[position] = size++;
    }

    void remove(int place) {
      Flow last = all[--size];
      all[place] = last;
      positions[place] = positions[size];
      last.places[positions[place]] = place;
      all[size] = all[0]; // no hole, and no flow kept alive that is gone
    }
  }

  /** Links without flows. */
  public FairFlows(Simulation simulation, Fabric fabric, Observer observer) {
    this.simulation = simulation;
    this.fabric = fabric;
    this.observer = observer;
    flowsOf = new Flows[fabric.links()];
    residual = new double[fabric.links()];
    unfrozen = new int[fabric.links()];
    touchedIn = new int[fabric.links()];
    opened = new int[fabric.links()];
    left = new double[fabric.links()];
    fastest = new double[fabric.links()];
    slowestHeld = new double[fabric.links()];
    heldOpen = new double[fabric.links()];
    fastestOpen = new double[fabric.links()];
  }

  @Override
  public void transfer(int[] links, long bytes, Runnable done) {
    Flow flow = new Flow(flows++, links, bytes, done, simulation.now());
    observer.began(flow.number, links, bytes);
    if (links.length == 0 || bytes == 0) {
      simulation.after(
          0,
          () -> {
            observer.ended(flow.number);
            done.run();
          });
      return;
    }
    for (int i = 0; i < links.length; i++) {
      Flows all = flowsOf[links[i]];
      if (all == null) {
        all = new Flows();
        flowsOf[links[i]] = all;
      }
      all.add(flow, i);
    }
    open(flow);
    refillSoon();
  }

  private void open(Flow flow) {
    if (!flow.isOpen) {
      flow.isOpen = true;
      open.add(flow);
      for (int link : flow.links) {
        if (touchedIn[link] == refills) {
          opened[link]++;
          left[link] += flow.rate;
        }
      }
    }
  }

  /** What begins or ends at the same time is taken together. */
  private void refillSoon() {
    if (!refillDue) {
      refillDue = true;
      simulation.after(0, this::refill);
    }
  }

  private void end(Flow flow) {
    observer.ended(flow.number);
    for (int i = 0; i < flow.links.length; i++) {
      on(flow.links[i]).remove(flow.places[i]);
    }
    if (flow.isOpen) {
      flow.isOpen = false;
      open.remove(flow);
    }
    for (int link : flow.links) {
      Flows all = on(link);
      for (int i = 0; i < all.size; i++) {
        // It may have been their bottleneck; the filling tells.
        if (all.all[i].heldBackBy == link) {
          open(all.all[i]);
        }
      }
    }
    refillSoon();
    flow.done.run();
  }

  private Flows on(int link) {
    Flows all = flowsOf[link];
    if (all == null) {
      throw new IllegalStateException("no flow was ever on " + fabric.name(link));
    }
    return all;
  }

  private void refill() {
    refillDue = false;
    refills++;
    touchedCount = 0;
    touchedFlows = 0;
    int known = -1;
    while (known < open.size()) {
      known = open.size();
      fill();
      for (int i = 0; i < touchedCount; i++) {
        openWhoeverIsWronged(touched[i]);
      }
    }
    for (Flow flow : open) {
      flow.isOpen = false;
      if (Math.abs(flow.filled - flow.rate) > EPSILON * flow.filled || flow.end == null) {
        change(flow);
      }
    }
    open.clear();
    refills++; // what is opened from now on is so for the next one
  }

  private void change(Flow flow) {
    long now = simulation.now();
    flow.remaining -= flow.rate * Simulation.seconds(now - flow.settledAt);
    flow.settledAt = now;
    flow.rate = flow.filled;
    observer.rate(flow.number, flow.rate);
    long nanos = Simulation.nanos(Math.max(0, flow.remaining) / flow.rate);
    if (flow.end == null) {
      flow.end = simulation.after(nanos, () -> end(flow));
    } else {
      simulation.move(flow.end, nanos);
    }
  }

  /** Fills up the open flows, while all others keep their rates. */
  private void fill() {
    touch();
    heaped = touchedCount;
    for (int i = heaped - 1; i >= 0; i--) {
      sink(i, touched[i], share(touched[i]));
    }
    int rest = open.size();
    double level = 0;
    while (rest > 0) {
      int link = heap[0];
      double share = share(link);
      if (share > keys[0]) {
        sink(0, link, share);
      } else {
        // Links that fill up together hold back their flows alike.
        level = share <= level * (1 + EPSILON) ? level : share;
        rest -= freeze(link, level);
        sink(0, link, Double.POSITIVE_INFINITY);
      }
    }
  }

  /** What a link has left for each of its open flows that nothing holds back yet. */
  private double share(int link) {
    return unfrozen[link] == 0
        ? Double.POSITIVE_INFINITY
        : Math.max(0, residual[link]) / unfrozen[link];
  }

  /** Puts a link into the heap, at a place or below. */
  private void sink(int place, int link, double key) {
    int at = place;
    while (2 * at + 1 < heaped) {
      int child = 2 * at + 1;
      if (child + 1 < heaped && keys[child + 1] < keys[child]) {
        child++;
      }
      if (keys[child] >= key) {
        break;
      }
      heap[at] = heap[child];
      keys[at] = keys[child];
      at = child;
    }
    heap[at] = link;
    keys[at] = key;
  }

  /** Touches the links of flows that were opened lately, and begins anew on all of them. */
  private void touch() {
    for (; touchedFlows < open.size(); touchedFlows++) {
      for (int link : open.get(touchedFlows).links) {
        if (touchedIn[link] != refills) {
          touchedIn[link] = refills;
          if (touchedCount == touched.length) {
            touched = Arrays.copyOf(touched, 2 * touchedCount);
            heap = new int[2 * touchedCount];
            keys = new double[2 * touchedCount];
          }
          touched[touchedCount++] = link;
          look(link);
        }
      }
    }
    for (Flow flow : open) {
      flow.frozen = false;
    }
    for (int i = 0; i < touchedCount; i++) {
      int link = touched[i];
      residual[link] = left[link];
      unfrozen[link] = opened[link];
      heldOpen[link] = Double.POSITIVE_INFINITY;
      fastestOpen[link] = 0;
    }
  }

  /** What a link has left for its open flows, and what its others get. */
  private void look(int link) {
    left[link] = fabric.rate(link);
    opened[link] = 0;
    fastest[link] = 0;
    slowestHeld[link] = Double.POSITIVE_INFINITY;
    Flows all = on(link);
    for (int i = 0; i < all.size; i++) {
      Flow flow = all.all[i];
      if (flow.isOpen) {
        opened[link]++;
      } else {
        left[link] -= flow.rate;
        fastest[link] = Math.max(fastest[link], flow.rate);
        if (flow.heldBackBy == link) {
          slowestHeld[link] = Math.min(slowestHeld[link], flow.rate);
        }
      }
    }
  }

  private int freeze(int link, double level) {
    Flows all = on(link);
    heldOpen[link] = level;
    int frozen = 0;
    for (int i = 0; i < all.size; i++) {
      Flow flow = all.all[i];
      if (flow.isOpen && !flow.frozen) {
        flow.frozen = true;
        flow.filled = level;
        flow.heldBackBy = link;
        frozen++;
        for (int other : flow.links) {
          residual[other] -= level;
          unfrozen[other]--;
          fastestOpen[other] = level; // levels rise
        }
      }
    }
    return frozen;
  }

  /**
   * Opens flows of a link that must change, too: those that are faster than an open one which the
   * link holds back, and those that the link held back and no longer does.
   */
  private void openWhoeverIsWronged(int link) {
    double held = heldOpen[link] * (1 + EPSILON);
    double fast = Math.max(fastest[link], fastestOpen[link]) * (1 - EPSILON);
    boolean full = residual[link] <= fabric.rate(link) * EPSILON;
    boolean isTooFast = fastest[link] > held;
    boolean isHeldInVain = slowestHeld[link] < (full ? fast : Double.POSITIVE_INFINITY);
    if (!isTooFast && !isHeldInVain) {
      return;
    }
    Flows all = on(link);
    for (int i = 0; i < all.size; i++) {
      Flow flow = all.all[i];
      if (!flow.isOpen
          && (flow.rate > held || (flow.heldBackBy == link && (!full || flow.rate < fast)))) {
        open(flow);
      }
    }
    look(link); // for the next round, without those
  }
}
