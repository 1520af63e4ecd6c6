package org.braid.cli.plan;

import org.braid.placement.Topology;

/**
 * A cluster of equal racks.
 *
 * @param racks racks, at least 1
 * @param nodes nodes of each rack, at least 1
 */
record Grid(int racks, int nodes) {
  private static final int MAX_NODES = 100_000;

  /**
   * Reads {@code RxN}.
   *
   * @throws IllegalArgumentException when it is not that, or above 100,000 nodes
   */
  static Grid parse(String text) {
    if (text.matches("[0-9]+x[0-9]+x[0-9]+")) {
      throw new IllegalArgumentException(
          "\"" + text + "\" has sites, plans know racks only: write RACKSxNODES, as in 4x6");
    }
    if (!text.matches("[1-9][0-9]{0,5}x[1-9][0-9]{0,5}")) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is not a topology: write RACKSxNODES, as in 4x6");
    }
    String[] parts = text.split("x", -1);
    Grid grid = new Grid(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
    if ((long) grid.racks * grid.nodes > MAX_NODES) {
      throw new IllegalArgumentException(
          "\"%s\" has %d nodes, at most %d are planned for"
              .formatted(text, (long) grid.racks * grid.nodes, MAX_NODES));
    }
    return grid;
  }

  /** The topology: racks {@code r0..} of nodes {@code r0n0..}. */
  Topology topology() {
    return Topology.of(racks, nodes);
  }

  @Override
  public String toString() {
    return racks + "x" + nodes;
  }
}
