package org.braid.plan.schedule;

import java.util.Arrays;
import org.braid.placement.Topology;

/**
 * The cluster as the latest heartbeats show it. Immutable.
 *
 * <p>Racks are the failure domains. An upgrade domain is a set of nodes that are taken down for an
 * upgrade at the same time.
 */
public final class ClusterSnapshot {
  private final Topology topology;
  private final boolean[] eligible;
  private final int[] upgradeDomain;
  private final double[] userLoad;
  private final int[] repairs;

  private ClusterSnapshot(
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

  /** A cluster whose nodes are all eligible, idle, and in no upgrade domain. */
  public static ClusterSnapshot of(Topology topology) {
    boolean[] eligible = new boolean[topology.nodes()];
    Arrays.fill(eligible, true);
    int[] domains = new int[eligible.length];
    Arrays.fill(domains, -1);
    return new ClusterSnapshot(
        topology, eligible, domains, new double[eligible.length], new int[eligible.length]);
  }

  /** A cluster whose nodes are described one after another, with one copy for all of them. */
  public static Builder builder(Topology topology) {
    return new Builder(of(topology));
  }

  /** The same cluster with a node that may get no blocks. */
  public ClusterSnapshot without(int node) {
    boolean[] changed = eligible.clone();
    changed[node] = false;
    return new ClusterSnapshot(topology, changed, upgradeDomain, userLoad, repairs);
  }

  /**
   * The same cluster with a node in an upgrade domain.
   *
   * @param domain number of the domain, 0 or more
   */
  public ClusterSnapshot withUpgradeDomain(int node, int domain) {
    requireDomain(domain);
    int[] changed = upgradeDomain.clone();
    changed[node] = domain;
    return new ClusterSnapshot(topology, eligible, changed, userLoad, repairs);
  }

  /**
   * The same cluster with user load at a node.
   *
   * @param megabytes user traffic that the node is handling
   */
  public ClusterSnapshot withUserLoad(int node, double megabytes) {
    requireLoad(megabytes);
    double[] changed = userLoad.clone();
    changed[node] = megabytes;
    return new ClusterSnapshot(topology, eligible, upgradeDomain, changed, repairs);
  }

  /** The same cluster with repairs at a node that the manager did not start. */
  public ClusterSnapshot withRepairs(int node, int count) {
    int[] changed = repairs.clone();
    changed[node] = count;
    return new ClusterSnapshot(topology, eligible, upgradeDomain, userLoad, changed);
  }

  /** Nodes and racks. */
  public Topology topology() {
    return topology;
  }

  /** Whether a node may get blocks. */
  public boolean eligible(int node) {
    return eligible[node];
  }

  /** The upgrade domain of a node; negative without one. */
  public int upgradeDomain(int node) {
    return upgradeDomain[node];
  }

  /** Megabytes of user traffic that a node is handling; 0 for a node outside the topology. */
  public double userLoad(int node) {
    return node < userLoad.length ? userLoad[node] : 0;
  }

  /** Repairs at a node that the manager did not start. */
  int repairs(int node) {
    return node < repairs.length ? repairs[node] : 0;
  }

  private static void requireDomain(int domain) {
    if (domain < 0) {
      throw new IllegalArgumentException("upgrade domain " + domain + ", needed is 0 or more");
    }
  }

  private static void requireLoad(double megabytes) {
    if (!(megabytes >= 0)) {
      throw new IllegalArgumentException("user load " + megabytes + ", needed is 0 or more");
    }
  }

  /** Describes the nodes of a cluster. Not thread-safe. */
  public static final class Builder {
    private final ClusterSnapshot described;

    private Builder(ClusterSnapshot fresh) {
      described = fresh;
    }

    /** A node may get no blocks. */
    public Builder without(int node) {
      described.eligible[node] = false;
      return this;
    }

    /**
     * A node is in an upgrade domain.
     *
     * @param domain number of the domain, 0 or more
     */
    public Builder upgradeDomain(int node, int domain) {
      requireDomain(domain);
      described.upgradeDomain[node] = domain;
      return this;
    }

    /**
     * A node handles user traffic.
     *
     * @param megabytes of that traffic
     */
    public Builder userLoad(int node, double megabytes) {
      requireLoad(megabytes);
      described.userLoad[node] = megabytes;
      return this;
    }

    /** Repairs run at a node that the manager did not start. */
    public Builder repairs(int node, int count) {
      described.repairs[node] = count;
      return this;
    }

    /** The cluster as it is described now. */
    public ClusterSnapshot build() {
      return new ClusterSnapshot(
          described.topology,
          described.eligible.clone(),
          described.upgradeDomain.clone(),
          described.userLoad.clone(),
          described.repairs.clone());
    }
  }
}
