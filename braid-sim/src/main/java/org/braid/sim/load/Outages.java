package org.braid.sim.load;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.placement.Topology;
import org.braid.sim.failure.Lifetime;
import org.braid.sim.failure.Trace;
import org.braid.sim.time.Simulation;
import org.braid.sim.time.Streams;

/** When nodes go down, and whether they come back with what they stored. */
public final class Outages {
  /** Marks an outage after which nodes are back at once, but empty. */
  public static final long EMPTY = -1;

  /** Marks an outage from which nodes do not come back. */
  public static final long NEVER = Long.MAX_VALUE;

  private Outages() {}

  /**
   * Nodes that go down together.
   *
   * @param at nanoseconds
   * @param nodes at least one
   * @param backAt nanoseconds; {@link #EMPTY} when what they stored is lost, {@link #NEVER} when
   *     they stay away
   */
  public record Outage(long at, List<Integer> nodes, long backAt) {
    public Outage {
      nodes = List.copyOf(nodes);
      if (nodes.isEmpty() || at < 0 || (backAt != EMPTY && backAt < at)) {
        throw new IllegalArgumentException(
            "nodes %s go down at %d ns and come back at %d ns".formatted(nodes, at, backAt));
      }
    }

    /** Whether what they stored is lost. */
    public boolean isLoss() {
      return backAt == EMPTY;
    }
  }

  /**
   * How often things fail; times in seconds.
   *
   * @param node from when a node is up until it fails
   * @param transientShare share of the failures from which a node comes back with its blocks
   * @param downtime mean time until it does
   * @param rack the same of racks, all of whose outages are transient
   */
  public record Rates(Lifetime node, double transientShare, double downtime, Lifetime rack) {
    public Rates {
      if (!(transientShare >= 0 && transientShare <= 1) || !(downtime > 0)) {
        throw new IllegalArgumentException(
            "%s of the failures are transient and last %s s: needed are 0 to 1 and more than 0 s"
                .formatted(transientShare, downtime));
      }
    }
  }

  /** All outages that begin within some time, in their order. */
  public static List<Outage> draw(
      Topology topology, Rates rates, double seconds, RandomGenerator random) {
    List<Outage> outages = new ArrayList<>();
    for (int node = 0; node < topology.nodes(); node++) {
      double at = rates.node().draw(random);
      while (at < seconds) {
        boolean comesBack = random.nextDouble() < rates.transientShare();
        double back = at + Streams.exponential(rates.downtime(), random);
        outages.add(
            new Outage(
                Simulation.nanos(at), List.of(node), comesBack ? Simulation.nanos(back) : EMPTY));
        at = back + rates.node().draw(random);
      }
    }
    for (int rack = 0; rack < topology.racks() && !rates.rack().isEndless(); rack++) {
      double at = rates.rack().draw(random);
      while (at < seconds) {
        double back = at + Streams.exponential(rates.downtime(), random);
        outages.add(
            new Outage(Simulation.nanos(at), topology.nodesIn(rack), Simulation.nanos(back)));
        at = back + rates.rack().draw(random);
      }
    }
    outages.sort(Comparator.comparingLong(Outage::at).thenComparing(o -> o.nodes().get(0)));
    return outages;
  }

  /** The outages of a trace, in its order. */
  public static List<Outage> of(Trace trace, Topology topology) {
    return trace.events().stream()
        .map(
            event ->
                new Outage(
                    Simulation.nanos(event.at()),
                    nodes(event, topology),
                    event.lost()
                        ? EMPTY
                        : Double.isInfinite(event.until())
                            ? NEVER
                            : Simulation.nanos(event.until())))
        .toList();
  }

  private static List<Integer> nodes(Trace.Event event, Topology topology) {
    return switch (event.kind()) {
      case NODE -> List.of(event.index());
      case RACK -> topology.nodesIn(event.index());
      case SITE ->
          IntStream.range(0, topology.nodes())
              .filter(node -> topology.siteOf(node) == event.index())
              .boxed()
              .toList();
    };
  }
}
