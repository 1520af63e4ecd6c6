package org.braid.sim.net;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.braid.sim.time.Simulation;
import org.jspecify.annotations.Nullable;

/**
 * Max-min fair rates, roughly those of long TCP connections.
 *
 * <p>Rates are max-min fair if each flow has a bottleneck: a full link on which no flow is faster.
 * When flows begin or end, only some rates change. These flows are open: progressive filling gives
 * them new rates while all others keep theirs. Then flows join the open ones that have no
 * bottleneck, or that are faster than an open flow on its bottleneck, and filling repeats until no
 * flow joins. The rates are those of progressive filling of all flows, at the cost of those that
 * change.
 */
public final class MaxMinFairFlows implements NetworkModel {
  /** Rates that differ relatively by less are equal. */
  private static final double EPSILON = 1e-9;

  private final Simulation simulation;
  private final Fabric fabric;
  private final Observer observer;
  private final @Nullable Flows[] flowsOf;
  private final double[] residual;
  private final int[] unfrozen;

  /** By link, the number of the last refill in which an open flow used it. */
  private final int[] touchedIn;

  /** By touched link, its number of open flows, and the rate that the others leave to them. */
  private final int[] opened;

  private final double[] left;

  /** By touched link, an upper bound of the rates of its flows that are not open. */
  private final double[] fastest;

  /** By touched link, a lower bound of the rates of flows not open whose bottleneck it is. */
  private final double[] slowestHeld;

  /** By touched link, the rate of the open flows whose bottleneck it is, and of its fastest one. */
  private final double[] heldOpen;

  private final double[] fastestOpen;

  private final List<Flow> open = new ArrayList<>();
  private int[] touched = new int[64];
  private int touchedCount;

  /** Number of open flows whose links are touched. */
  private int touchedFlows;

  /**
   * Heap of touched links by their share for a flow when it was last computed. The share only grows
   * while other links fill up: a link whose key is still right when it is on top fills up next.
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

    /** Its bottleneck in the last filling. */
    int bottleneck;

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
  public MaxMinFairFlows(Simulation simulation, Fabric fabric, Observer observer) {
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

  /** Refills once for all flows that begin or end at the same time. */
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
        // It may no longer be their bottleneck: filling decides.
        if (all.all[i].bottleneck == link) {
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
        openWrongRates(touched[i]);
      }
    }
    for (Flow flow : open) {
      flow.isOpen = false;
      if (Math.abs(flow.filled - flow.rate) > EPSILON * flow.filled || flow.end == null) {
        change(flow);
      }
    }
    open.clear();
    refills++; // flows that open from now on belong to the next refill
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

  /** Progressive filling of the open flows. */
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
        // Links that fill up together give their flows the same rate.
        level = share <= level * (1 + EPSILON) ? level : share;
        rest -= freeze(link, level);
        sink(0, link, Double.POSITIVE_INFINITY);
      }
    }
  }

  /** The rate that a link has left for each of its open flows without a bottleneck so far. */
  private double share(int link) {
    return unfrozen[link] == 0
        ? Double.POSITIVE_INFINITY
        : Math.max(0, residual[link]) / unfrozen[link];
  }

  /** Puts a link into the heap at a place or below. */
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

  /**
   * Touches the links of flows that opened since the last filling, and resets all touched links.
   */
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
          inspect(link);
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

  /** Computes what a link leaves to its open flows, and the bounds of its other flows. */
  private void inspect(int link) {
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
        if (flow.bottleneck == link) {
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
        flow.bottleneck = link;
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
   * Opens the flows of a link whose rates must change: those that are faster than an open flow with
   * this bottleneck, and those whose bottleneck the link no longer is.
   */
  private void openWrongRates(int link) {
    double held = heldOpen[link] * (1 + EPSILON);
    double fast = Math.max(fastest[link], fastestOpen[link]) * (1 - EPSILON);
    boolean full = residual[link] <= fabric.rate(link) * EPSILON;
    boolean isTooFast = fastest[link] > held;
    boolean hasLostBottleneck = slowestHeld[link] < (full ? fast : Double.POSITIVE_INFINITY);
    if (!isTooFast && !hasLostBottleneck) {
      return;
    }
    Flows all = on(link);
    for (int i = 0; i < all.size; i++) {
      Flow flow = all.all[i];
      if (!flow.isOpen
          && (flow.rate > held || (flow.bottleneck == link && (!full || flow.rate < fast)))) {
        open(flow);
      }
    }
    inspect(link); // without the flows that opened
  }
}
