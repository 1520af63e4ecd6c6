package org.braid.sim.load;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.placement.Topology;
import org.braid.sim.time.Simulation;
import org.braid.sim.time.Streams;

/** When nodes go down, and whether they come back with what they stored. */
public final class Outages {
  /** Marks an outage after which a node comes back empty. */
  public static final long NEVER = -1;

  private Outages() {}

  /**
   * Nodes that go down together.
   *
   * @param at nanoseconds
   * @param nodes at least one
   * @param backAt nanoseconds; {@link #NEVER} when what they stored is lost
   */
  public record Outage(long at, List<Integer> nodes, long backAt) {
    public Outage {
      nodes = List.copyOf(nodes);
      if (nodes.isEmpty() || at < 0 || (backAt != NEVER && backAt < at)) {
        throw new IllegalArgumentException(
            "nodes %s go down at %d ns and come back at %d ns".formatted(nodes, at, backAt));
      }
    }
  }

  /**
   * How often things fail; times in seconds.
   *
   * @param nodeMtbf mean time between failures of one node
   * @param shape of the Weibull distribution of these times, 1 for the exponential one
   * @param transientShare share of the failures from which a node comes back with its blocks
   * @param downtime mean time until it does
   * @param rackMtbf mean time between outages of one rack, transient; 0 for none
   */
  public record Rates(
      double nodeMtbf, double shape, double transientShare, double downtime, double rackMtbf) {
    public Rates {
      if (!(nodeMtbf > 0)
          || !(shape > 0)
          || !(transientShare >= 0 && transientShare <= 1)
          || !(downtime > 0)
          || !(rackMtbf >= 0)) {
        throw new IllegalArgumentException(
            ("failures each %s s of shape %s, %s of them transient for %s s, racks each %s s: needed"
                    + " are times above 0, a shape above 0 and a share of 0 to 1")
                .formatted(nodeMtbf, shape, transientShare, downtime, rackMtbf));
      }
    }
  }

  /** All outages that begin within some time, in their order. */
  public static List<Outage> draw(
      Topology topology, Rates rates, double seconds, RandomGenerator random) {
    List<Outage> outages = new ArrayList<>();
    // The mean of a Weibull distribution is its scale times gamma(1 + 1/shape).
    double scale = rates.nodeMtbf() / gamma(1 + 1 / rates.shape());
    for (int node = 0; node < topology.nodes(); node++) {
      double at = Streams.weibull(scale, rates.shape(), random);
      while (at < seconds) {
        boolean comesBack = random.nextDouble() < rates.transientShare();
        double back = at + Streams.exponential(rates.downtime(), random);
        outages.add(
            new Outage(
                Simulation.nanos(at), List.of(node), comesBack ? Simulation.nanos(back) : NEVER));
        at = back + Streams.weibull(scale, rates.shape(), random);
      }
    }
    for (int rack = 0; rack < topology.racks() && rates.rackMtbf() > 0; rack++) {
      double at = Streams.exponential(rates.rackMtbf(), random);
      while (at < seconds) {
        double back = at + Streams.exponential(rates.downtime(), random);
        outages.add(
            new Outage(Simulation.nanos(at), topology.nodesIn(rack), Simulation.nanos(back)));
        at = back + Streams.exponential(rates.rackMtbf(), random);
      }
    }
    outages.sort(Comparator.comparingLong(Outage::at).thenComparing(o -> o.nodes().get(0)));
    return outages;
  }

  /**
   * Outages of a trace, a line each: seconds of the beginning, seconds of the end or {@code -} when
   * what was stored is lost, and nodes or racks by name; empty lines and those after # do not
   * count.
   *
   * @throws IllegalArgumentException when a line is malformed or earlier than the one before; names
   *     the line
   */
  public static List<Outage> parse(List<String> lines, Topology topology) {
    List<Outage> outages = new ArrayList<>();
    long last = 0;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      String where = "line " + (i + 1) + " of the trace, \"" + line + "\": ";
      String[] words = line.split("\\s+");
      String number = "[0-9]{1,10}([.][0-9]{1,9})?";
      boolean comesBack = words.length > 1 && !words[1].equals("-");
      if (words.length < 3
          || !words[0].matches(number)
          || (comesBack && !words[1].matches(number))) {
        throw new IllegalArgumentException(
            where + "needed are its beginning and end in seconds, - for no end, and nodes");
      }
      long at = Simulation.nanos(Double.parseDouble(words[0]));
      long back = comesBack ? Simulation.nanos(Double.parseDouble(words[1])) : NEVER;
      if (at < last) {
        throw new IllegalArgumentException(where + "earlier than the line before");
      }
      if (comesBack && back < at) {
        throw new IllegalArgumentException(where + "it ends before it begins");
      }
      last = at;
      List<Integer> nodes = new ArrayList<>();
      for (int word = 2; word < words.length; word++) {
        nodes.addAll(named(words[word], topology, where));
      }
      outages.add(new Outage(at, nodes, back));
    }
    return outages;
  }

  private static List<Integer> named(String name, Topology topology, String where) {
    if (topology.indexOf(name).isPresent()) {
      return List.of(topology.indexOf(name).getAsInt());
    }
    return IntStream.range(0, topology.racks())
        .filter(rack -> topology.rackName(rack).equals(name))
        .mapToObj(topology::nodesIn)
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "%sthere is no node or rack %s among %d nodes in %d racks, %s to %s"
                        .formatted(
                            where,
                            name,
                            topology.nodes(),
                            topology.racks(),
                            topology.nodeName(0),
                            topology.nodeName(topology.nodes() - 1))));
  }

  /** Stirling's series, moved up to where it has nine digits; for arguments above 0. */
  private static double gamma(double x) {
    double product = 1;
    double z = x;
    while (z < 10) {
      product *= z++;
    }
    double series = 1 / (12 * z) - 1 / (360 * z * z * z) + 1 / (1260 * Math.pow(z, 5));
    return Math.sqrt(2 * Math.PI / z) * Math.pow(z / Math.E, z) * Math.exp(series) / product;
  }
}
