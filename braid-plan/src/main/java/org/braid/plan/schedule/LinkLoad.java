package org.braid.plan.schedule;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.braid.placement.Topology;
import org.braid.plan.Plan;
import org.braid.plan.Step;
import org.braid.plan.cost.Network;

/**
 * The load of repairs on the links of a cluster, in each direction: links of nodes, uplinks of
 * racks, links of sites. Nodes outside the topology have unlimited links.
 */
public final class LinkLoad {
  private final Topology topology;
  private final Network network;
  private final double[] seconds;
  private final double[] blocks;
  private final double[] rate;

  /**
   * The load of one repair.
   *
   * @param links the links that it uses
   * @param seconds by link, how long it keeps the link busy
   * @param blocks by link, the blocks that cross it
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared, never a key
  public record Share(int[] links, double[] seconds, double[] blocks) {}

  /** Idle links. */
  public LinkLoad(Topology topology, Network network) {
    this.topology = topology;
    this.network = network;
    int nodes = topology.nodes();
    seconds = new double[3 * nodes + 2 * topology.racks() + 2 * topology.sites()];
    blocks = new double[seconds.length];
    rate = new double[seconds.length];
    Arrays.fill(rate, network.rates().link());
    for (int rack = 0; rack < topology.racks(); rack++) {
      rate[up(rack)] = network.uplink(rack);
      rate[down(rack)] = network.uplink(rack);
    }
    for (int site = 0; site < topology.sites(); site++) {
      rate[away(site)] = network.siteLink(site);
      rate[here(site)] = network.siteLink(site);
    }
  }

  int out(int node) {
    return 2 * node;
  }

  int in(int node) {
    return 2 * node + 1;
  }

  int up(int rack) {
    return 2 * (topology.nodes() + rack);
  }

  int down(int rack) {
    return 2 * (topology.nodes() + rack) + 1;
  }

  /** No link, but the blocks that a node stores, see {@link #withStores}. */
  int store(int node) {
    return 2 * (topology.nodes() + topology.racks()) + node;
  }

  /** The link of a site to the others. */
  int away(int site) {
    return store(topology.nodes()) + 2 * site;
  }

  /** The link of a site from the others. */
  int here(int site) {
    return away(site) + 1;
  }

  /** Seconds of work that a link has. */
  public double seconds(int link) {
    return seconds[link];
  }

  /** The load of a scheduled repair. */
  public Share of(ScheduledRepair repair) {
    int alpha = repair.stripe().code().alpha();
    Map<Integer, Integer> values = new HashMap<>();
    for (Plan plan : repair.plans()) {
      for (Step step : plan.steps()) {
        if (step instanceof Step.Send send) {
          count(values, send.from(), send.node());
        }
      }
    }
    int[] links = values.keySet().stream().mapToInt(link -> link).sorted().toArray();
    double[] time = new double[links.length];
    double[] share = new double[links.length];
    for (int i = 0; i < links.length; i++) {
      share[i] = values.getOrDefault(links[i], 0) / (double) alpha;
      time[i] = share[i] * repair.stripe().length() / rate[links[i]];
    }
    return new Share(links, time, share);
  }

  /**
   * The same load with the blocks that nodes store. Their weight makes the load of an average
   * node's stored blocks equal to that of its link or its rack's uplink, whichever is more, so that
   * stored blocks are spread as evenly as the bottleneck.
   */
  Share withStores(Share share, ScheduledRepair repair) {
    int[] stores =
        repair.destinations().values().stream()
            .filter(node -> node < topology.nodes())
            .mapToInt(this::store)
            .sorted()
            .toArray();
    double sent = 0;
    double crossed = 0;
    for (int i = 0; i < share.links().length; i++) {
      int link = share.links()[i];
      boolean upwards = link % 2 == 0 && link < store(0);
      sent += upwards && link < up(0) ? share.seconds()[i] : 0;
      crossed += upwards && link >= up(0) ? share.seconds()[i] : 0;
    }
    double each = storeSeconds(sent, crossed) / Math.max(1, stores.length);
    double[] time = new double[stores.length];
    double[] count = new double[stores.length];
    Arrays.fill(time, each);
    Arrays.fill(count, 1);
    return new Share(
        joined(share.links(), stores),
        joined(share.seconds(), time),
        joined(share.blocks(), count));
  }

  /**
   * The weight of the blocks that a repair stores, in seconds.
   *
   * @param sent seconds of its transfers on all nodes' links
   * @param crossed seconds of its transfers on all uplinks
   */
  double storeSeconds(double sent, double crossed) {
    return Math.max(sent, crossed * topology.nodes() / topology.racks());
  }

  private static int[] joined(int[] a, int[] b) {
    return IntStream.concat(Arrays.stream(a), Arrays.stream(b)).toArray();
  }

  private static double[] joined(double[] a, double[] b) {
    return DoubleStream.concat(Arrays.stream(a), Arrays.stream(b)).toArray();
  }

  private void count(Map<Integer, Integer> values, int from, int to) {
    boolean knowsFrom = from < topology.nodes();
    boolean knowsTo = to < topology.nodes();
    boolean crosses = !knowsFrom || !knowsTo || topology.rackOf(from) != topology.rackOf(to);
    boolean travels = crosses && network.siteOf(from) != network.siteOf(to);
    if (knowsFrom) {
      values.merge(out(from), 1, Integer::sum);
      if (crosses) {
        values.merge(up(topology.rackOf(from)), 1, Integer::sum);
      }
      if (travels) {
        values.merge(away(topology.siteOf(from)), 1, Integer::sum);
      }
    }
    if (knowsTo) {
      values.merge(in(to), 1, Integer::sum);
      if (crosses) {
        values.merge(down(topology.rackOf(to)), 1, Integer::sum);
      }
      if (travels) {
        values.merge(here(topology.siteOf(to)), 1, Integer::sum);
      }
    }
  }

  /** Adds the load of a repair. */
  public void add(Share share) {
    for (int i = 0; i < share.links().length; i++) {
      seconds[share.links()[i]] += share.seconds()[i];
      blocks[share.links()[i]] += share.blocks()[i];
    }
  }

  /** Removes the load of a repair. */
  public void remove(Share share) {
    for (int i = 0; i < share.links().length; i++) {
      seconds[share.links()[i]] -= share.seconds()[i];
      blocks[share.links()[i]] -= share.blocks()[i];
    }
  }

  /** Adds load that is no repair. */
  void addSeconds(int link, double more) {
    seconds[link] += more;
  }

  /** Blocks on the busiest node's link, of either direction. */
  double busiestNode() {
    return Arrays.stream(blocks, 0, 2 * topology.nodes()).max().orElse(0);
  }

  /** Blocks on the busiest uplink, of either direction. */
  double busiestUplink() {
    return Arrays.stream(blocks, 2 * topology.nodes(), store(0)).max().orElse(0);
  }

  /** Blocks that cross racks. */
  double crossRack() {
    double ups = 0;
    double downs = 0;
    for (int rack = 0; rack < topology.racks(); rack++) {
      ups += blocks[up(rack)];
      downs += blocks[down(rack)];
    }
    return Math.max(ups, downs);
  }

  /** Blocks that move between nodes. */
  double total() {
    double outs = 0;
    double ins = 0;
    for (int node = 0; node < topology.nodes(); node++) {
      outs += blocks[out(node)];
      ins += blocks[in(node)];
    }
    return Math.max(outs, ins);
  }

  /** Seconds of work of the busiest link. */
  double busiestSeconds() {
    return Arrays.stream(seconds).max().orElse(0);
  }

  /** The load of several repairs. */
  static LinkLoad sum(Topology topology, Network network, List<ScheduledRepair> repairs) {
    LinkLoad load = new LinkLoad(topology, network);
    repairs.forEach(repair -> load.add(load.of(repair)));
    return load;
  }
}
