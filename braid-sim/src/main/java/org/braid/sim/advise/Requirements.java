package org.braid.sim.advise;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.braid.placement.Topology;

/**
 * Requirements of recommended candidates.
 *
 * @param overhead most bytes stored for a byte of data
 * @param nines least nines of data that survives a year; empty for those of three replicas on the
 *     same cluster
 * @param nodes number of nodes any of which may be lost together without loss of data
 * @param racks the same of racks
 * @param sites the same of sites
 */
public record Requirements(double overhead, OptionalDouble nines, int nodes, int racks, int sites) {
  public Requirements {
    if (!(overhead > 1)) {
      throw new IllegalArgumentException(
          "an overhead of at most %s leaves no space for parity: must be more than 1"
              .formatted(overhead));
    }
    if (nodes < 0 || racks < 0 || sites < 0) {
      throw new IllegalArgumentException(
          ("losses of %d nodes, %d racks and %d sites to survive: each must be at least" + " 0")
              .formatted(nodes, racks, sites));
    }
    if (nines.isPresent() && !(nines.getAsDouble() >= 0)) {
      throw new IllegalArgumentException(
          nines.getAsDouble() + " nines required: must be at least 0");
    }
  }

  /**
   * The requirements that no code can meet on a cluster, with numbers. If any s of S nodes, racks
   * or sites may be lost, the others hold all data, so that the overhead is at least S / (S - s).
   */
  public List<String> contradictions(Topology topology) {
    List<String> found = new ArrayList<>();
    check(found, "nodes", nodes, topology.nodes());
    check(found, "racks", racks, topology.racks());
    check(found, "sites", sites, topology.sites());
    return found;
  }

  private void check(List<String> found, String what, int lost, int there) {
    if (lost > 0 && lost >= there) {
      found.add(
          "the loss of %d %s cannot be survived: the cluster has %d".formatted(lost, what, there));
    } else if (lost > 0) {
      double least = (double) there / (there - lost);
      if (least > overhead + 1e-12) {
        found.add(
            String.format(
                Locale.ROOT,
                "the loss of %d of %d %s needs an overhead of at least %.3f, at most %.3f is"
                    + " allowed",
                lost,
                there,
                what,
                least,
                overhead));
      }
    }
  }
}
