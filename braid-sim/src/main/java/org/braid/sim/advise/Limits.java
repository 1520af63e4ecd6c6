package org.braid.sim.advise;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import org.braid.placement.Topology;

/**
 * What a choice must keep.
 *
 * @param overhead bytes stored for a byte of data, at most
 * @param nines of data that survives a year, at least; empty for those of three replicas on the
 *     same cluster
 * @param nodes whose loss, all at once and whichever they are, loses no data
 * @param racks whose loss loses no data
 * @param sites whose loss loses no data
 */
public record Limits(double overhead, OptionalDouble nines, int nodes, int racks, int sites) {
  public Limits {
    if (!(overhead > 1)) {
      throw new IllegalArgumentException(
          "an overhead of at most %s leaves nothing for parity, needed is more than 1"
              .formatted(overhead));
    }
    if (nodes < 0 || racks < 0 || sites < 0) {
      throw new IllegalArgumentException(
          "losses of %d nodes, %d racks and %d sites to survive: needed are 0 or more"
              .formatted(nodes, racks, sites));
    }
    if (nines.isPresent() && !(nines.getAsDouble() >= 0)) {
      throw new IllegalArgumentException(
          nines.getAsDouble() + " nines at least, needed is 0 or more");
    }
  }

  /**
   * What no code can keep on a cluster, with the numbers: of s places that are lost, all data must
   * be in the others, so that S places store at least S / (S - s) times the data.
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
          "the loss of %d %s is to be survived, the cluster has %d".formatted(lost, what, there));
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
