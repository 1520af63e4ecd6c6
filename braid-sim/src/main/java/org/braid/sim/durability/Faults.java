package org.braid.sim.durability;

import org.braid.sim.failure.Lifetime;
import org.braid.sim.failure.Trace;

/**
 * What goes wrong on a cluster; times in seconds.
 *
 * @param node until a node is lost with all its blocks
 * @param rack until a rack is lost with all its nodes
 * @param site until a site is lost with all its racks
 * @param outages of nodes, racks and sites that come back with their blocks
 * @param latent sectors that become unreadable unnoticed
 * @param bursts nodes that are lost at once, wherever they are
 * @param trace what happened on a real cluster, on top of all that
 */
public record Faults(
    Lifetime node,
    Lifetime rack,
    Lifetime site,
    Outages outages,
    Latent latent,
    Bursts bursts,
    Trace trace) {

  /** Nodes that are lost after exponential lives, and nothing else. */
  public static Faults ofNodes(Lifetime node) {
    return new Faults(
        node,
        Lifetime.ENDLESS,
        Lifetime.ENDLESS,
        Outages.NONE,
        Latent.NONE,
        Bursts.NONE,
        Trace.EMPTY);
  }

  /** The same with other outages. */
  public Faults with(Outages other) {
    return new Faults(node, rack, site, other, latent, bursts, trace);
  }

  /** The same with other latent errors. */
  public Faults with(Latent other) {
    return new Faults(node, rack, site, outages, other, bursts, trace);
  }

  /** The same with other bursts. */
  public Faults with(Bursts other) {
    return new Faults(node, rack, site, outages, latent, other, trace);
  }

  /** The same with another trace. */
  public Faults with(Trace other) {
    return new Faults(node, rack, site, outages, latent, bursts, other);
  }

  /** The same with other losses of racks and sites. */
  public Faults withRacks(Lifetime racks, Lifetime sites) {
    return new Faults(node, racks, sites, outages, latent, bursts, trace);
  }

  /** Whether nodes die after exponential lives and nothing else happens. */
  public boolean isMarkov() {
    return node.isExponential() && equals(ofNodes(node));
  }

  /**
   * An outage of one kind: it ends, and nothing is lost with it.
   *
   * @param every mean time between the starts of two, for one node, rack or site; infinite for none
   * @param lasts mean time until it ends, exponential
   */
  public record Outage(double every, double lasts) {
    /** Never. */
    public static final Outage NONE = new Outage(Double.POSITIVE_INFINITY, 1);

    public Outage {
      Times.requirePositive("outages that happen every", every);
      Times.requirePositive("an outage", lasts);
      if (lasts >= every) {
        throw new IllegalArgumentException(
            "outages of %.0f seconds every %.0f seconds: there would be nothing else"
                .formatted(lasts, every));
      }
    }
  }

  /** Outages by what has them. */
  public record Outages(Outage node, Outage rack, Outage site) {
    /** Never. */
    public static final Outages NONE = new Outages(Outage.NONE, Outage.NONE, Outage.NONE);
  }

  /**
   * Latent errors. A block with one is lost and nobody knows, until it is scrubbed or its stripe is
   * repaired.
   *
   * @param perByte errors of a byte in a second
   * @param scrub time in which each block is read once
   */
  public record Latent(double perByte, double scrub) {
    /** Never. */
    public static final Latent NONE = new Latent(0, Times.YEAR);

    public Latent {
      Times.requireFinite("a rate of latent errors", perByte);
      Times.requirePositive("a scrub of all blocks", scrub);
    }
  }

  /**
   * Bursts: power that fails, a bad update. The nodes are random ones of the whole cluster.
   *
   * @param every mean time between two, exponential; infinite for none
   * @param nodes lost in each
   */
  public record Bursts(double every, int nodes) {
    /** Never. */
    public static final Bursts NONE = new Bursts(Double.POSITIVE_INFINITY, 0);

    public Bursts {
      Times.requirePositive("bursts that happen every", every);
      if (nodes < 0) {
        throw new IllegalArgumentException("a burst of " + nodes + " nodes, needed is 0 or more");
      }
    }

    /** Refuses bursts that take more nodes than there are. */
    void requireOn(int there) {
      if (nodes > there) {
        throw new IllegalArgumentException(
            "bursts of %d nodes on a cluster of %d".formatted(nodes, there));
      }
    }
  }
}
