package org.braid.plan.manage;

import java.util.Arrays;
import org.braid.placement.Topology;

/**
 * The cluster as its heartbeats show it; some seconds old at most. Immutable.
 *
 * <p>Nodes are those of the topology. Their racks are the failure domains; an upgrade domain is a
 * set of nodes that are taken down for an upgrade at the same time.
 */
public final class Servers {
  private final Topology topology;
  private final boolean[] eligible;
  private final int[] upgradeDomain;
  private final double[] userLoad;
  private final int[] repairs;

  private Servers(
      Topology topology,
      boolean[] eligible,
      int[] upgradeDomain,
      double[] userLoad,
      int[] repairs) {
    this.topology = topology;
    this.eligible = eligible;
    this.upgradeDomain = upgradeDomain;
    this.userLoad = userLoad;
    this.repairs = repairs;
  }

  /** A cluster whose nodes are all well, idle, and in no upgrade domain. */
  public static Servers of(Topology topology) {
    boolean[] eligible = new boolean[topology.nodes()];
    Arrays.fill(eligible, true);
    int[] domains = new int[eligible.length];
    Arrays.fill(domains, -1);
    return new Servers(
        topology, eligible, domains, new double[eligible.length], new int[eligible.length]);
  }

  /** The same, but a node may get no blocks. */
  public Servers without(int node) {
    boolean[] changed = eligible.clone();
    changed[node] = false;
    return new Servers(topology, changed, upgradeDomain, userLoad, repairs);
  }

  /**
   * The same with a node in an upgrade domain.
   *
   * @param domain a number that the nodes of the domain share, 0 or more
   */
  public Servers withUpgradeDomain(int node, int domain) {
    if (domain < 0) {
      throw new IllegalArgumentException("upgrade domain " + domain + ", needed is 0 or more");
    }
    int[] changed = upgradeDomain.clone();
    changed[node] = domain;
    return new Servers(topology, eligible, changed, userLoad, repairs);
  }

  /**
   * The same with the load of users at a node.
   *
   * @param megabytes of user traffic that the node is handling
   */
  public Servers withUserLoad(int node, double megabytes) {
    if (!(megabytes >= 0)) {
      throw new IllegalArgumentException("user load " + megabytes + ", needed is 0 or more");
    }
    double[] changed = userLoad.clone();
    changed[node] = megabytes;
    return new Servers(topology, eligible, upgradeDomain, changed, repairs);
  }

  /** The same with repairs at a node that others than the manager run. */
  public Servers withRepairs(int node, int count) {
    int[] changed = repairs.clone();
    changed[node] = count;
    return new Servers(topology, eligible, upgradeDomain, userLoad, changed);
  }

  /** Nodes and racks. */
  public Topology topology() {
    return topology;
  }

  /** Whether a node may get blocks. */
  public boolean eligible(int node) {
    return eligible[node];
  }

  /** A number that nodes of an upgrade domain share; negative for a node in none. */
  public int upgradeDomain(int node) {
    return upgradeDomain[node];
  }

  /** Megabytes of user traffic that a node is handling; 0 for one that is not in the topology. */
  public double userLoad(int node) {
    return node < userLoad.length ? userLoad[node] : 0;
  }

  /** Repairs at a node that others run. */
  int repairs(int node) {
    return node < repairs.length ? repairs[node] : 0;
  }
}
