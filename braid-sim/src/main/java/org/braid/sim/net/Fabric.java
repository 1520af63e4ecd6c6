package org.braid.sim.net;

import java.util.Arrays;
import org.braid.placement.Topology;
import org.braid.sim.time.Simulation;

/**
 * The links of a cluster, their rates, and the routes between nodes. A node has a full-duplex link
 * to its rack's switch, a disk and a processor, and may send less to other racks than to its own; a
 * rack has a full-duplex uplink; a site has a full-duplex link to the other sites. Links of
 * infinite rate are left out of routes. Immutable.
 */
public final class Fabric {
  private static final int OUT = 0;
  private static final int IN = 1;
  private static final int DISK = 2;
  private static final int CPU = 3;
  private static final int LEAVING = 4;
  private static final int PER_NODE = 5;

  private final Topology topology;
  private final Speeds speeds;
  private final int uplinks;
  private final int siteLinks;
  private final double[] rates;

  /**
   * Rates in bytes a second; infinite for what never limits.
   *
   * @param link of a node's link, in each direction
   * @param uplink of a rack's uplink, in each direction
   * @param site of a site's link to the others, in each direction
   * @param disk of a node's disk, reading or writing
   * @param cpu of a node's processor, combining
   * @param delays between nodes
   * @param leaving of all that a node sends to other racks
   */
  public record Speeds(
      double link,
      double uplink,
      double site,
      double disk,
      double cpu,
      Delays delays,
      double leaving) {
    public Speeds {
      check("what a node sends to other racks", leaving);
      check("a node's link", link);
      check("a rack's uplink", uplink);
      check("a site's link", site);
      check("a disk", disk);
      check("a processor", cpu);
    }

    /** Rates with which a node sends to other racks as fast as to its own. */
    public Speeds(double link, double uplink, double site, double disk, double cpu, Delays delays) {
      this(link, uplink, site, disk, cpu, delays, Double.POSITIVE_INFINITY);
    }

    /** The same with processors that never limit. */
    public Speeds withoutProcessors() {
      double infinite = Double.POSITIVE_INFINITY;
      return new Speeds(link, uplink, site, disk, infinite, delays, leaving);
    }

    /** Rates of links and uplinks; site links, disks and processors never limit. */
    public static Speeds ofNetwork(double link, double uplink) {
      double infinite = Double.POSITIVE_INFINITY;
      return new Speeds(link, uplink, infinite, infinite, infinite, Delays.NONE);
    }

    private static void check(String what, double rate) {
      if (!(rate > 0)) {
        throw new IllegalArgumentException(
            "%s of %s bytes a second: must be more than 0".formatted(what, rate));
      }
    }
  }

  /** Delays from a node to another. */
  @FunctionalInterface
  public interface Delays {
    /** No delays. */
    Delays NONE = (topology, from, to) -> 0;

    /** The delay in nanoseconds. */
    long nanos(Topology topology, int from, int to);

    /**
     * Delays between sites.
     *
     * @param seconds by sending and receiving site, 0 or more
     */
    static Delays ofSites(double[][] seconds) {
      long[][] nanos = new long[seconds.length][];
      for (int from = 0; from < nanos.length; from++) {
        nanos[from] = Arrays.stream(seconds[from]).mapToLong(Simulation::nanos).toArray();
      }
      return (topology, from, to) -> nanos[topology.siteOf(from)][topology.siteOf(to)];
    }
  }

  /** The links of a topology. */
  public Fabric(Topology topology, Speeds speeds) {
    this.topology = topology;
    this.speeds = speeds;
    uplinks = PER_NODE * topology.nodes();
    siteLinks = uplinks + 2 * topology.racks();
    rates = new double[siteLinks + 2 * topology.sites()];
    for (int node = 0; node < topology.nodes(); node++) {
      rates[link(node, OUT)] = speeds.link();
      rates[link(node, IN)] = speeds.link();
      rates[link(node, DISK)] = speeds.disk();
      rates[link(node, CPU)] = speeds.cpu();
      rates[link(node, LEAVING)] = speeds.leaving();
    }
    Arrays.fill(rates, uplinks, siteLinks, speeds.uplink());
    Arrays.fill(rates, siteLinks, rates.length, speeds.site());
  }

  /** The nodes, racks and sites. */
  public Topology topology() {
    return topology;
  }

  /** Number of links. */
  public int links() {
    return rates.length;
  }

  /** Bytes a second of a link. */
  public double rate(int link) {
    return rates[link];
  }

  /**
   * The order in which {@link ReservedLinks} reserves links: sites, then racks, then nodes, of each
   * the sending side first.
   */
  int reservationOrder(int link) {
    int level = link >= siteLinks ? 0 : link >= uplinks ? 1 : 2;
    int side = link < uplinks ? link % PER_NODE : (link - uplinks) % 2;
    return level * PER_NODE + side;
  }

  /** The name of a link in messages. */
  public String name(int link) {
    if (link < uplinks) {
      String what =
          switch (link % PER_NODE) {
            case OUT -> "the sending side of node ";
            case IN -> "the receiving side of node ";
            case DISK -> "the disk of node ";
            case LEAVING -> "what leaves the rack of node ";
            default -> "the processor of node ";
          };
      return what + topology.nodeName(link / PER_NODE);
    }
    boolean rack = link < siteLinks;
    int number = rack ? link - uplinks : link - siteLinks;
    String side = number % 2 == 0 ? "the sending side of " : "the receiving side of ";
    return side
        + (rack
            ? "rack " + topology.rackName(number / 2)
            : "site " + topology.siteName(number / 2));
  }

  /** The links from a node to another, from sender to receiver. */
  public int[] route(int from, int to) {
    if (from == to) {
      return new int[0];
    }
    int[] route = new int[7];
    int length = add(route, 0, link(from, OUT));
    int fromRack = topology.rackOf(from);
    int toRack = topology.rackOf(to);
    if (fromRack != toRack) {
      length = add(route, length, link(from, LEAVING));
      length = add(route, length, uplinks + 2 * fromRack);
      int fromSite = topology.siteOfRack(fromRack);
      int toSite = topology.siteOfRack(toRack);
      if (fromSite != toSite) {
        length = add(route, length, siteLinks + 2 * fromSite);
        length = add(route, length, siteLinks + 2 * toSite + 1);
      }
      length = add(route, length, uplinks + 2 * toRack + 1);
    }
    length = add(route, length, link(to, IN));
    return Arrays.copyOf(route, length);
  }

  /** The route to or from a node's disk. */
  public int[] disk(int node) {
    return only(link(node, DISK));
  }

  /** The route through a node's processor. */
  public int[] cpu(int node) {
    return only(link(node, CPU));
  }

  /** The delay between two nodes, in nanoseconds. */
  public long delay(int from, int to) {
    return from == to ? 0 : speeds.delays().nanos(topology, from, to);
  }

  /** Whether bytes between two nodes cross racks. */
  public boolean crossesRacks(int from, int to) {
    return topology.rackOf(from) != topology.rackOf(to);
  }

  private int[] only(int link) {
    return Double.isInfinite(rates[link]) ? new int[0] : new int[] {link};
  }

  private int add(int[] route, int length, int link) {
    if (Double.isInfinite(rates[link])) {
      return length;
    }
    route[length] = link;
    return length + 1;
  }

  private static int link(int node, int kind) {
    return node * PER_NODE + kind;
  }
}
