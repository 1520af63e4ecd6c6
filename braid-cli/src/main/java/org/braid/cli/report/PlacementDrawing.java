package org.braid.cli.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.braid.hdfs.api.view.PlacementView;
import org.braid.hdfs.api.view.PlacementView.Block;
import org.braid.hdfs.api.view.PlacementView.Node;

/** The placement of the first stripes: a row for each block, a column for each node, by racks. */
final class PlacementDrawing {
  private static final int STRIPES = 2;
  private static final int CELL = 15;
  private static final int RACK_GAP = 9;
  private static final int STRIPE_GAP = 10;
  private static final int TOP = 34;
  private static final int LABEL_CHARS = 16;
  private static final int LEFT = 7 * LABEL_CHARS + 8;

  private final PlacementView view;
  private final List<Block> rows;
  private final Map<Integer, Integer> columns = new HashMap<>();
  private final List<Integer> order;

  private PlacementDrawing(PlacementView view, List<Block> rows) {
    this.view = view;
    this.rows = rows;
    order = nodesByRack(view.nodes());
    int x = LEFT;
    String rack = "";
    for (int node : order) {
      String of = view.nodes().get(node).rack();
      x += !rack.isEmpty() && !rack.equals(of) ? RACK_GAP : 0;
      rack = of;
      columns.put(node, x);
      x += CELL;
    }
  }

  /** The blocks after conversion. */
  static Markup after(PlacementView after) {
    return new PlacementDrawing(after, firstStripes(after)).draw("after conversion", true);
  }

  /** The data blocks before encoding. */
  static Markup before(PlacementView before, PlacementView after) {
    Map<String, List<Integer>> then = new HashMap<>();
    Map<String, List<Block>> byLabel = new HashMap<>();
    before.blocks().forEach(b -> byLabel.computeIfAbsent(b.label(), l -> new ArrayList<>()).add(b));
    // Files of one name in several directories share labels: told apart by their order.
    for (Block block : after.blocks()) {
      List<Block> same = byLabel.getOrDefault(block.label(), List.of());
      if (!block.parity() && !same.isEmpty()) {
        then.put(key(block), same.remove(0).nodes());
      }
    }
    List<Block> rows = new ArrayList<>();
    for (Block block : firstStripes(after)) {
      rows.add(
          new Block(
              block.label(),
              block.stripe(),
              block.position(),
              block.parity(),
              block.bytes(),
              then.getOrDefault(key(block), List.of())));
    }
    return new PlacementDrawing(before, rows).draw("before conversion", false);
  }

  private static String key(Block block) {
    return block.stripe() + "/" + block.position();
  }

  private static List<Block> firstStripes(PlacementView view) {
    List<Integer> stripes =
        view.blocks().stream()
            .map(Block::stripe)
            .filter(s -> s >= 0)
            .distinct()
            .sorted()
            .limit(STRIPES)
            .toList();
    List<Block> rows = new ArrayList<>(view.blocks());
    rows.removeIf(block -> !stripes.contains(block.stripe()));
    rows.sort(java.util.Comparator.comparingInt(Block::stripe).thenComparingInt(Block::position));
    return rows;
  }

  private static List<Integer> nodesByRack(List<Node> nodes) {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      order.add(i);
    }
    order.sort(java.util.Comparator.comparing(i -> nodes.get(i).rack(), Names.NATURAL));
    return order;
  }

  private Markup draw(String when, boolean encoded) {
    int right = columns.values().stream().mapToInt(x -> x + CELL).max().orElse(LEFT);
    int height = TOP + rows.size() * CELL + STRIPE_GAP * STRIPES;
    Markup svg = Markup.svg(right + 6, height, "placement " + when);
    svg.element("text", when, "x", 0, "y", 13, "class", "head");
    racks(svg, height);
    int y = TOP;
    int stripe = rows.isEmpty() ? 0 : rows.get(0).stripe();
    for (Block block : rows) {
      y += block.stripe() != stripe ? STRIPE_GAP : 0;
      stripe = block.stripe();
      String label = block.parity() && !encoded ? "" : Names.shorten(block.label(), LABEL_CHARS);
      svg.element("text", label, "x", LEFT - 8, "y", y + 11, "class", "label end");
      for (int node : order) {
        cell(svg, block, node, y);
      }
      y += CELL;
    }
    return svg.close("svg");
  }

  private void racks(Markup svg, int height) {
    Map<String, int[]> extents = new java.util.LinkedHashMap<>();
    for (int node : order) {
      int x = columns.getOrDefault(node, 0);
      int[] extent = extents.computeIfAbsent(view.nodes().get(node).rack(), r -> new int[] {x, x});
      extent[1] = x + CELL;
    }
    extents.forEach(
        (rack, extent) -> {
          svg.empty(
              "rect",
              "x",
              extent[0] - 2,
              "y",
              TOP - 4,
              "width",
              extent[1] - extent[0] + 3,
              "height",
              height - TOP,
              "rx",
              3,
              "class",
              "rack");
          int room = Math.max(1, (extent[1] - extent[0]) / 7);
          svg.element(
              "text",
              Names.shorten(Names.last(rack), room),
              "x",
              (extent[0] + extent[1]) / 2,
              "y",
              TOP - 9,
              "class",
              "label middle");
        });
  }

  private void cell(Markup svg, Block block, int node, int y) {
    boolean held = block.nodes().contains(node);
    int x = columns.getOrDefault(node, 0);
    String kind = held ? (block.parity() ? "parity" : "data") : "none";
    svg.open(
        "rect", "x", x + 1, "y", y + 1, "width", CELL - 3, "height", CELL - 3, "rx", 2, "class",
        kind);
    if (held) {
      svg.element("title", block.label() + " on " + view.nodes().get(node).name());
    }
    svg.close("rect");
  }
}
