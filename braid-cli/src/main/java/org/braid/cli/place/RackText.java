package org.braid.cli.place;

import java.util.ArrayList;
import java.util.List;
import org.braid.placement.Topology;

/** Writes a topology as text: a line for each rack, a cell for each node. */
final class RackText {
  private RackText() {}

  /**
   * The lines.
   *
   * @param cells the labels of the blocks on each node
   */
  static List<String> lines(Topology topology, List<List<String>> cells) {
    int width = 1;
    int name = 0;
    for (List<String> cell : cells) {
      width = Math.max(width, String.join(" ", cell).length());
    }
    for (int rack = 0; rack < topology.racks(); rack++) {
      name = Math.max(name, topology.rackName(rack).length());
    }
    List<String> lines = new ArrayList<>();
    for (int rack = 0; rack < topology.racks(); rack++) {
      StringBuilder line = new StringBuilder(padded(topology.rackName(rack), name));
      for (int node : topology.nodesIn(rack)) {
        String text = cells.get(node).isEmpty() ? "." : String.join(" ", cells.get(node));
        line.append(" | ").append(padded(text, width));
      }
      lines.add(line.append(" |").toString());
    }
    return lines;
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(width - text.length());
  }
}
