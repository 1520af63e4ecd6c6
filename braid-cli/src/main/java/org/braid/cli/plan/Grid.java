package org.braid.cli.plan;

import java.util.Arrays;
import org.braid.placement.Topology;

/**
 * A cluster of equal racks, at sites of equally many.
 *
 * @param sites sites, at least 1
 * @param racks racks of all sites together, at least as many
 * @param nodes nodes of each rack, at least 1
 */
record Grid(int sites, int racks, int nodes) {
  private static final int MAX_NODES = 100_000;

  /**
   * Reads {@code RxN} or {@code SxRxN}.
   *
   * @throws IllegalArgumentException when it is not that, or above 100,000 nodes
   */
  static Grid parse(String text) {
    if (!text.matches("[1-9][0-9]{0,5}(x[1-9][0-9]{0,5}){1,2}")) {
      throw new IllegalArgumentException(
          "\""
              + text
              + "\" is not a topology: write RACKSxNODES or SITESxRACKSxNODES, as in 4x6 or 3x2x6");
    }
    long[] sizes = Arrays.stream(text.split("x", -1)).mapToLong(Long::parseLong).toArray();
    double nodes = Arrays.stream(sizes).asDoubleStream().reduce(1, (a, b) -> a * b);
    if (nodes > MAX_NODES) {
      throw new IllegalArgumentException(
          "\"%s\" has %.0f nodes, at most %d are planned for".formatted(text, nodes, MAX_NODES));
    }
    int last = sizes.length - 1;
    int sites = last == 1 ? 1 : (int) sizes[0];
    return new Grid(sites, sites * (int) sizes[last - 1], (int) sizes[last]);
  }

  /** The topology: racks {@code r0..} of nodes {@code r0n0..}, at sites {@code s0r0..}. */
  Topology topology() {
    return sites == 1 ? Topology.of(racks, nodes) : Topology.of(sites, racks / sites, nodes);
  }

  @Override
  public String toString() {
    return (sites == 1 ? "" : sites + "x") + racks / sites + "x" + nodes;
  }
}
