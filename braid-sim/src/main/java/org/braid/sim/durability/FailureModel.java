package org.braid.sim.durability;

import org.braid.placement.Topology;
import org.braid.sim.failure.FailureDomain;
import org.braid.sim.failure.FailureTrace;
import org.braid.sim.failure.Lifetime;

/**
 * Failures of a cluster; times in seconds.
 *
 * @param node time until a node is lost with all its blocks
 * @param rack time until a rack is lost with all its nodes
 * @param site time until a site is lost with all its racks
 * @param outages of nodes, racks and sites that come back with their blocks
 * @param latent sector errors that stay unnoticed until a scrub or a repair
 * @param bursts losses of several random nodes at once
 * @param trace failures of a real cluster, in addition to all others
 */
public record FailureModel(
    Lifetime node,
    Lifetime rack,
    Lifetime site,
    Outages outages,
    Latent latent,
    Bursts bursts,
    FailureTrace trace) {

  /** Losses of nodes only. */
  public static FailureModel ofNodes(Lifetime node) {
    return new FailureModel(
        node,
        Lifetime.ENDLESS,
        Lifetime.ENDLESS,
        Outages.NONE,
        Latent.NONE,
        Bursts.NONE,
        FailureTrace.EMPTY);
  }

  /** A copy with other outages. */
  public FailureModel with(Outages other) {
    return new FailureModel(node, rack, site, other, latent, bursts, trace);
  }

  /** A copy with other latent errors. */
  public FailureModel with(Latent other) {
    return new FailureModel(node, rack, site, outages, other, bursts, trace);
  }

  /** A copy with other bursts. */
  public FailureModel with(Bursts other) {
    return new FailureModel(node, rack, site, outages, latent, other, trace);
  }

  /** A copy with another trace. */
  public FailureModel with(FailureTrace other) {
    return new FailureModel(node, rack, site, outages, latent, bursts, other);
  }

  /** A copy with other losses of racks and sites. */
  public FailureModel withRacks(Lifetime racks, Lifetime sites) {
    return new FailureModel(node, racks, sites, outages, latent, bursts, trace);
  }

  /** The time until a node, rack or site is lost. */
  Lifetime life(FailureDomain domain) {
    return switch (domain) {
      case NODE -> node;
      case RACK -> rack;
      case SITE -> site;
    };
  }

  /** Nodes a second that a cluster loses: one by one, with racks and sites, in bursts. */
  public double lostNodes(Topology topology) {
    return topology.nodes() * (node.rate() + rack.rate() + site.rate())
        + bursts.nodes() / bursts.every();
  }

  /** Whether the only failures are losses of nodes after exponential lifetimes. */
  public boolean isMarkov() {
    return node.isExponential() && equals(ofNodes(node));
  }

  /**
   * Outages of one node, rack or site. Nothing is lost in an outage.
   *
   * @param every mean time between the starts of two; infinite for none
   * @param lasts mean time until it ends, exponentially distributed
   */
  public record Outage(double every, double lasts) {
    /** No outages. */
    public static final Outage NONE = new Outage(Double.POSITIVE_INFINITY, 1);

    public Outage {
      NumberChecks.requirePositive("a time between outages", every);
      NumberChecks.requirePositive("an outage", lasts);
      if (lasts >= every) {
        throw new IllegalArgumentException(
            ("outages of %.0f seconds every %.0f seconds: must be shorter than the time"
                    + " between them")
                .formatted(lasts, every));
      }
    }
  }

  /** Outages of each node, each rack and each site. */
  public record Outages(Outage node, Outage rack, Outage site) {
    /** No outages. */
    public static final Outages NONE = new Outages(Outage.NONE, Outage.NONE, Outage.NONE);

    /** The outages of a node, rack or site. */
    Outage of(FailureDomain domain) {
      return switch (domain) {
        case NODE -> node;
        case RACK -> rack;
        case SITE -> site;
      };
    }
  }

  /**
   * Latent sector errors. A block with one is lost, but nobody knows until the block is scrubbed or
   * its stripe is repaired.
   *
   * @param perByte errors of a byte in a second
   * @param scrub time in which each block is read once
   */
  public record Latent(double perByte, double scrub) {
    /** No latent errors. */
    public static final Latent NONE = new Latent(0, Durability.SECONDS_PER_YEAR);

    public Latent {
      NumberChecks.requireFinite("a latent error rate", perByte);
      NumberChecks.requirePositive("a scrub period", scrub);
    }
  }

  /**
   * Correlated losses of random nodes of the whole cluster, as after a power failure or a bad
   * update.
   *
   * @param every mean time between two, exponentially distributed; infinite for none
   * @param nodes lost in each
   */
  public record Bursts(double every, int nodes) {
    /** No bursts. */
    public static final Bursts NONE = new Bursts(Double.POSITIVE_INFINITY, 0);

    public Bursts {
      NumberChecks.requirePositive("a time between bursts", every);
      if (nodes < 0) {
        throw new IllegalArgumentException("a burst of " + nodes + " nodes: must be at least 0");
      }
    }

    /** Refuses bursts of more nodes than the cluster has. */
    void requireAtMost(int clusterNodes) {
      if (nodes > clusterNodes) {
        throw new IllegalArgumentException(
            "bursts of %d nodes on a cluster of %d nodes".formatted(nodes, clusterNodes));
      }
    }
  }
}
