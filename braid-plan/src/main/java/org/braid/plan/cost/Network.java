package org.braid.plan.cost;

import java.util.Map;
import java.util.Optional;
import org.braid.placement.Topology;

/**
 * The network that a plan runs on, as planners and the cost model see it: racks, sites, rates of
 * links, and the bytes of a plan's values. Immutable.
 *
 * <p>Each node has a full-duplex link to its rack's switch; all these links have the same rate. The
 * rate of a rack's uplink is the sum of its nodes' links divided by the oversubscription. If there
 * are several sites, each has one link to the others. A node outside the topology, such as a
 * client, is in a rack of its own and at no site, with unlimited links above its own.
 */
public final class Network {
  private final Optional<Topology> topology;
  private final Rates rates;
  private final Volume volume;
  private final Map<Integer, Double> slowdowns;

  private Network(
      Optional<Topology> topology, Rates rates, Volume volume, Map<Integer, Double> slowdowns) {
    this.topology = topology;
    this.rates = rates;
    this.volume = volume;
    this.slowdowns = Map.copyOf(slowdowns);
  }

  /**
   * Rates of links.
   *
   * @param link bytes a second of a node's link, in each direction
   * @param oversubscription sum of the rates of a rack's nodes, divided by the rate of the rack's
   *     uplink; 1 if uplinks are never the bottleneck
   * @param site bytes a second of a site's link to the other sites, in each direction; infinite if
   *     it is never the bottleneck
   */
  public record Rates(double link, double oversubscription, double site) {
    /** 10 Gbit/s a node, uplinks oversubscribed four times. */
    public static final Rates DEFAULT = new Rates(1.25e9, 4);

    /** Rates without a limit for sites. */
    public Rates(double link, double oversubscription) {
      this(link, oversubscription, Double.POSITIVE_INFINITY);
    }

    public Rates {
      if (!(link > 0) || Double.isInfinite(link)) {
        throw new IllegalArgumentException("a link of " + link + " bytes a second moves nothing");
      }
      if (!(oversubscription >= 1) || Double.isInfinite(oversubscription)) {
        throw new IllegalArgumentException(
            "oversubscription " + oversubscription + ", needs a number of at least 1");
      }
      if (!(site > 0)) {
        throw new IllegalArgumentException(
            "a site's link of " + site + " bytes a second moves nothing");
      }
    }

    /** The rates for traffic that may use only a part of each link. */
    public Rates share(double part) {
      return new Rates(link * part, oversubscription, site * part);
    }
  }

  /**
   * The bytes of a plan's values.
   *
   * @param value bytes of each value of a plan: a block, or a sub-block if blocks have several
   * @param slice bytes of a value that are sent at once; if slices are as long as values, nodes
   *     store and forward
   */
  public record Volume(long value, long slice) {
    /** Blocks of 128 MiB in slices of 256 KiB. */
    public static final Volume DEFAULT = new Volume(128L << 20, 256L << 10);

    public Volume {
      if (value < 1 || slice < 1) {
        throw new IllegalArgumentException(
            "values of %d bytes in slices of %d, both need at least 1".formatted(value, slice));
      }
    }

    /** The volume of a code's plans, whose values are blocks divided into alpha sub-blocks. */
    public static Volume ofBlock(long block, int alpha, long slice) {
      return new Volume(Math.max(1, block / alpha), slice);
    }
  }

  /** A network without racks. */
  public static Network flat() {
    return new Network(Optional.empty(), Rates.DEFAULT, Volume.DEFAULT, Map.of());
  }

  /** The network of a topology, with default rates and volume. */
  public static Network of(Topology topology) {
    return new Network(Optional.of(topology), Rates.DEFAULT, Volume.DEFAULT, Map.of());
  }

  /** The same network with further nodes, whose numbers follow those of the others. */
  public Network on(Topology grown) {
    return new Network(Optional.of(grown), rates, volume, slowdowns);
  }

  /** The same network with other rates. */
  public Network with(Rates other) {
    return new Network(topology, other, volume, slowdowns);
  }

  /** The same network with other volume. */
  public Network with(Volume other) {
    return new Network(topology, rates, other, slowdowns);
  }

  /**
   * The same network with nodes that do other work.
   *
   * @param slowdowns by node, how many times longer its link takes than an idle one, at least 1;
   *     other nodes are idle
   */
  public Network withSlowdowns(Map<Integer, Double> slowdowns) {
    slowdowns.forEach(
        (node, slowdown) -> {
          if (!(slowdown >= 1) || slowdown.isInfinite()) {
            throw new IllegalArgumentException(
                "slowdown " + slowdown + " of node " + node + ", needs a number of at least 1");
          }
        });
    return new Network(topology, rates, volume, slowdowns);
  }

  /** How many times longer a node's link takes than an idle one. */
  public double slowdown(int node) {
    return slowdowns.getOrDefault(node, 1.0);
  }

  /** The rates of links. */
  public Rates rates() {
    return rates;
  }

  /** The bytes of values and slices. */
  public Volume volume() {
    return volume;
  }

  /** The rack of a node; a negative number of its own for a node outside the topology. */
  public int rackOf(int node) {
    if (topology.isEmpty()) {
      return 0;
    }
    return node < topology.get().nodes() ? topology.get().rackOf(node) : -1 - node;
  }

  /** Whether two nodes are in the same rack. */
  public boolean sameRack(int a, int b) {
    return rackOf(a) == rackOf(b);
  }

  /**
   * The site of a node; a negative number of its own for a node outside the topology. If there is
   * one site, all nodes are there.
   */
  public int siteOf(int node) {
    if (topology.isEmpty() || topology.get().sites() == 1) {
      return 0;
    }
    return node < topology.get().nodes() ? topology.get().siteOf(node) : -1 - node;
  }

  /** Bytes a second that a rack's uplink carries in each direction. */
  public double uplink(int rack) {
    if (topology.isEmpty() || rack < 0) {
      return Double.POSITIVE_INFINITY;
    }
    return topology.get().nodesIn(rack).size() * rates.link() / rates.oversubscription();
  }

  /** Bytes a second that a site's link to the other sites carries in each direction. */
  public double siteLink(int site) {
    return topology.isEmpty() || site < 0 ? Double.POSITIVE_INFINITY : rates.site();
  }
}
