package org.braid.plan;

import java.util.Map;
import java.util.Optional;
import org.braid.placement.Topology;

/**
 * The network that a plan would run on, as far as planners and the cost model care: racks and their
 * sites, rates, and how much there is to move. Immutable.
 *
 * <p>Each node has a full-duplex link of the same rate to its rack's switch; the switch has a link
 * upwards that is the sum of its nodes' links divided by the oversubscription. Where there are
 * several sites, each has one link to the others. A node that the topology does not know, such as a
 * client, is in a rack of its own and at no site, with links there as fast as needed.
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
   * How fast links are.
   *
   * @param link bytes a second of a node's link, in each direction
   * @param oversubscription what the links of a rack's nodes add up to, divided by the rate of the
   *     rack's uplink; 1 for a network in which the uplinks are never the bottleneck
   * @param site bytes a second of a site's link to the other sites, in each direction; infinite for
   *     one that is never the bottleneck
   */
  public record Rates(double link, double oversubscription, double site) {
    /** 10 Gbit/s a node, and a quarter of that for each node of a rack at the same time. */
    public static final Rates DEFAULT = new Rates(1.25e9, 4);

    /** Rates of a network in which the links of sites are never the bottleneck. */
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

    /** The part of all links that one kind of traffic may take. */
    public Rates share(double part) {
      return new Rates(link * part, oversubscription, site * part);
    }
  }

  /**
   * How much there is to move.
   *
   * @param value bytes of each of a plan's values: a block, or a sub-block where blocks have
   *     several
   * @param slice bytes of a value that are sent on at once; with slices as long as values each node
   *     stores before it forwards
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

    /** The parts of blocks of a code with alpha sub-blocks, at least a byte. */
    public static Volume ofBlock(long block, int alpha, long slice) {
      return new Volume(Math.max(1, block / alpha), slice);
    }
  }

  /** A network that knows no racks: all nodes are side by side. */
  public static Network flat() {
    return new Network(Optional.empty(), Rates.DEFAULT, Volume.DEFAULT, Map.of());
  }

  /** The network of a topology, with the usual rates and volume. */
  public static Network of(Topology topology) {
    return new Network(Optional.of(topology), Rates.DEFAULT, Volume.DEFAULT, Map.of());
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
   * The same network whose nodes have other work, too.
   *
   * @param slowdowns by node, how many times longer its link takes than an idle one, at least 1;
   *     nodes that are not named are idle
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
  double slowdown(int node) {
    return slowdowns.getOrDefault(node, 1.0);
  }

  /** How fast links are. */
  public Rates rates() {
    return rates;
  }

  /** How much there is to move. */
  public Volume volume() {
    return volume;
  }

  /** A number that nodes of the same rack share; negative for a node in a rack of its own. */
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
   * A number that nodes of the same site share; negative for a node that is at none of several. As
   * long as there is one site, all nodes are there.
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
