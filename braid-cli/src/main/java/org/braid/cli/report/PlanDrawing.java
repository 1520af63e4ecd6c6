package org.braid.cli.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.api.RepairReport.PlanEdge;
import org.braid.hdfs.api.RepairReport.PlanNode;
import org.braid.hdfs.api.RepairReport.PlanView;

/** A repair as a graph: a band for each rack, time to the right, an arrow for each transfer. */
final class PlanDrawing {
  private static final int BOX_WIDTH = 112;
  private static final int BOX_HEIGHT = 36;
  private static final int COLUMN = 172;
  private static final int ROW = 46;
  private static final int LEFT = 70;
  private static final int TOP = 8;
  private static final int BAND_GAP = 8;

  private final PlanView plan;
  private final Map<String, PlanNode> nodes = new HashMap<>();
  private final Map<String, Integer> depth = new HashMap<>();
  private final Map<String, int[]> corner = new HashMap<>();
  private final Map<String, int[]> bands = new TreeMap<>(Names.NATURAL);
  private int width;
  private int height;

  private PlanDrawing(PlanView plan) {
    this.plan = plan;
    plan.nodes().forEach(node -> nodes.put(node.node(), node));
    depths();
    place();
  }

  static Markup of(PlanView plan) {
    return new PlanDrawing(plan).draw("repair of a stripe by " + plan.shape(), "");
  }

  /** A drawing that carries its style, and a background as pages have. */
  static Markup file(PlanView plan, String description, String style) {
    return new PlanDrawing(plan).draw(description, style);
  }

  /** The length of the longest path to each node, limited to the number of nodes. */
  private void depths() {
    plan.nodes().forEach(node -> depth.put(node.node(), 0));
    for (int round = 0; round < plan.nodes().size(); round++) {
      for (PlanEdge edge : plan.edges()) {
        int from = depth.getOrDefault(edge.from(), 0);
        depth.merge(edge.to(), from + 1, Math::max);
      }
    }
    depth.replaceAll((node, d) -> Math.min(d, plan.nodes().size()));
  }

  private void place() {
    Map<String, List<PlanNode>> racks = new TreeMap<>(Names.NATURAL);
    plan.nodes().forEach(n -> racks.computeIfAbsent(n.rack(), r -> new ArrayList<>()).add(n));
    int y = TOP;
    int right = 0;
    for (Map.Entry<String, List<PlanNode>> rack : racks.entrySet()) {
      Map<Integer, Integer> used = new HashMap<>();
      int rows = 1;
      for (PlanNode node : rack.getValue()) {
        int column = depth.getOrDefault(node.node(), 0);
        int row = used.merge(column, 1, Integer::sum) - 1;
        rows = Math.max(rows, row + 1);
        int x = LEFT + column * COLUMN;
        corner.put(node.node(), new int[] {x, y + 5 + row * ROW});
        right = Math.max(right, x + BOX_WIDTH);
      }
      bands.put(rack.getKey(), new int[] {y, rows * ROW});
      y += rows * ROW + BAND_GAP;
    }
    width = right + 12;
    height = y;
  }

  private Markup draw(String description, String style) {
    Markup svg = Markup.svg(width, height, description);
    if (!style.isEmpty()) {
      svg.element("style", style);
      svg.empty("rect", "width", width, "height", height, "class", "page");
    }
    marker(svg, "near");
    marker(svg, "far");
    bands.forEach(
        (rack, band) -> {
          svg.empty(
              "rect", "x", 0, "y", band[0], "width", width - 1, "height", band[1], "rx", 4, "class",
              "rack");
          svg.element(
              "text",
              Names.shorten(Names.last(rack), 8),
              "x",
              8,
              "y",
              band[0] + band[1] / 2 + 4,
              "class",
              "label");
        });
    plan.edges().forEach(edge -> arrow(svg, edge));
    plan.nodes().forEach(node -> box(svg, node));
    plan.edges().forEach(edge -> bytes(svg, edge));
    return svg.close("svg");
  }

  private String markerId(String kind) {
    return "arrow-" + kind + "-" + plan.shape().replaceAll("[^a-z]", "");
  }

  private void marker(Markup svg, String kind) {
    svg.open("defs")
        .open(
            "marker",
            "id",
            markerId(kind),
            "viewBox",
            "0 0 8 8",
            "refX",
            7,
            "refY",
            4,
            "markerWidth",
            7,
            "markerHeight",
            7,
            "orient",
            "auto")
        .empty("path", "d", "M0 0L8 4L0 8z", "class", kind + "-head")
        .close("marker")
        .close("defs");
  }

  private boolean crosses(PlanEdge edge) {
    PlanNode from = nodes.get(edge.from());
    PlanNode to = nodes.get(edge.to());
    return from != null && to != null && !from.rack().equals(to.rack());
  }

  private void arrow(Markup svg, PlanEdge edge) {
    int[] from = corner.get(edge.from());
    int[] to = corner.get(edge.to());
    if (from == null || to == null) {
      return;
    }
    String kind = crosses(edge) ? "far" : "near";
    int x1 = from[0] + BOX_WIDTH;
    int y1 = from[1] + BOX_HEIGHT / 2;
    int y2 = to[1] + BOX_HEIGHT / 2;
    int bend = Math.max(24, (to[0] - x1) / 2);
    svg.open(
            "path",
            "d",
            "M%d %dC%d %d %d %d %d %d"
                .formatted(x1, y1, x1 + bend, y1, to[0] - bend, y2, to[0] - 2, y2),
            "class",
            "edge " + kind,
            "marker-end",
            "url(#" + markerId(kind) + ")")
        .element(
            "title",
            edge.from()
                + " to "
                + edge.to()
                + ": "
                + edge.bytes()
                + " bytes"
                + (crosses(edge) ? ", across racks" : ", inside the rack"))
        .close("path");
  }

  /** The label of an arrow with its bytes, near the tail, where arrows do not overlap. */
  private void bytes(Markup svg, PlanEdge edge) {
    int[] from = corner.get(edge.from());
    if (from != null) {
      svg.element(
          "text",
          Sizes.format(edge.bytes()),
          "x",
          from[0] + BOX_WIDTH + 4,
          "y",
          from[1] + BOX_HEIGHT / 2 - 5,
          "class",
          "bytes");
    }
  }

  private void box(Markup svg, PlanNode node) {
    int[] at = corner.getOrDefault(node.node(), new int[] {0, 0});
    boolean stores = !node.stores().isEmpty();
    svg.empty(
        "rect",
        "x",
        at[0],
        "y",
        at[1],
        "width",
        BOX_WIDTH,
        "height",
        BOX_HEIGHT,
        "rx",
        4,
        "class",
        stores ? "box stores" : "box");
    svg.element(
        "text",
        Names.shorten(node.node(), 17),
        "x",
        at[0] + 7,
        "y",
        at[1] + 15,
        "class",
        "label strong");
    String does =
        (node.reads().isEmpty() ? "" : "reads " + list(node.reads()))
            + (stores && !node.reads().isEmpty() ? ", " : "")
            + (stores ? "stores " + list(node.stores()) : "");
    svg.element("text", does, "x", at[0] + 7, "y", at[1] + 29, "class", "label");
  }

  private static String list(List<Integer> positions) {
    return positions.stream().map(String::valueOf).collect(Collectors.joining(" "));
  }
}
