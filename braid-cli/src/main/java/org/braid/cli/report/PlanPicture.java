package org.braid.cli.report;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.api.RepairReport.PlanEdge;
import org.braid.hdfs.api.RepairReport.PlanNode;
import org.braid.hdfs.api.RepairReport.PlanView;

/** Draws a plan as a standalone file. */
public final class PlanPicture {
  private PlanPicture() {}

  /**
   * A drawing that follows the viewer's light or dark scheme.
   *
   * @param description the alternative text of the drawing
   * @throws IOException when the style sheet cannot be read
   */
  public static String svg(PlanView plan, String description) throws IOException {
    return PlanDrawing.file(plan, description, Frame.style()).toString();
  }

  /** A graph for Graphviz: racks are clusters, edges carry bytes. */
  public static String dot(PlanView plan) {
    Map<String, List<PlanNode>> racks =
        plan.nodes().stream()
            .collect(
                Collectors.groupingBy(
                    PlanNode::rack, () -> new TreeMap<>(Names.NATURAL), Collectors.toList()));
    StringBuilder dot = new StringBuilder();
    dot.append("digraph ").append(quoted(plan.shape())).append(" {\n");
    dot.append("  rankdir=LR;\n  node [shape=box];\n");
    int cluster = 0;
    for (Map.Entry<String, List<PlanNode>> rack : racks.entrySet()) {
      dot.append("  subgraph cluster_").append(cluster++).append(" {\n");
      dot.append("    label=").append(quoted(rack.getKey())).append(";\n");
      for (PlanNode node : rack.getValue()) {
        dot.append("    ").append(quoted(node.node()));
        dot.append(" [label=").append(quoted(label(node))).append("];\n");
      }
      dot.append("  }\n");
    }
    for (PlanEdge edge : plan.edges()) {
      dot.append("  ").append(quoted(edge.from())).append(" -> ").append(quoted(edge.to()));
      dot.append(" [label=").append(quoted(Sizes.format(edge.bytes()))).append("];\n");
    }
    return dot.append("}\n").toString();
  }

  private static String label(PlanNode node) {
    return node.node()
        + (node.reads().isEmpty() ? "" : "\\nreads " + list(node.reads()))
        + (node.stores().isEmpty() ? "" : "\\nstores " + list(node.stores()));
  }

  private static String list(List<Integer> positions) {
    return positions.stream().map(String::valueOf).collect(Collectors.joining(" "));
  }

  /** Names and sizes have no character that would need more. */
  private static String quoted(String text) {
    return '"' + text.replace("\"", "'") + '"';
  }
}
