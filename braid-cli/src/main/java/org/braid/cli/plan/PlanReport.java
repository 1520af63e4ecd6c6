package org.braid.cli.plan;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.braid.cli.codes.CodeText;
import org.braid.cli.command.ReportFile;
import org.braid.cli.report.PlanPicture;
import org.braid.cli.text.Json;
import org.braid.cli.text.TextTable;
import org.braid.experiment.text.Sizes;
import org.braid.hdfs.api.RepairReport.PlanEdge;
import org.braid.hdfs.api.RepairReport.PlanNode;
import org.braid.hdfs.api.RepairReport.PlanView;
import org.braid.placement.Topology;
import org.braid.plan.Plan;
import org.braid.plan.Step;
import org.braid.plan.cost.Network;
import org.braid.plan.cost.PlanCost;

/** Reports a plan, and the plans it was compared with, as JSON, text and drawings. */
final class PlanReport {
  private final PlanOptions options;
  private final Topology topology;
  private final Network network;
  private final String title;
  private final List<PlanCost> compared = new ArrayList<>();
  private final List<Plan> plans = new ArrayList<>();

  PlanReport(PlanOptions options, Topology topology, String title) {
    this.options = options;
    this.topology = topology;
    this.network = options.links();
    this.title = title;
  }

  /** Sets the plan of the report. */
  void add(Plan plan) {
    plans.add(plan);
  }

  /** Adds the plans to compare with. */
  void compare(List<Plan> all) {
    all.forEach(plan -> compared.add(cost(plan)));
  }

  private Plan plan() {
    return plans.get(0);
  }

  private PlanCost cost(Plan plan) {
    return PlanCost.of(plan, options.code().alpha(), network);
  }

  ObjectNode object() {
    PlanCost cost = cost(plan());
    ObjectNode object = Json.object().put("code", options.code().name());
    object.put("topology", topology.toString());
    put(object, cost);
    object.put("note", plan().note());
    ArrayNode edges = object.putArray("edges");
    for (PlanCost.Edge edge : cost.edges()) {
      ObjectNode node = edges.addObject().put("from", topology.nodeName(edge.from()));
      node.put("to", topology.nodeName(edge.to())).put("blocks", edge.blocks());
    }
    ArrayNode others = object.putArray("compared");
    compared.forEach(other -> put(others.addObject(), other));
    options.network().put(object);
    return object;
  }

  private static void put(ObjectNode object, PlanCost cost) {
    object.put("shape", cost.shape()).put("steps", cost.steps());
    object.put("busiest_link", cost.busiestLink()).put("total", cost.total());
    object.put("cross_rack", cost.crossRack()).put("cross_site", cost.crossSite());
    object.put("seconds", cost.seconds());
  }

  List<String> lines() {
    PlanCost cost = cost(plan());
    int sites = topology.sites();
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s of %s on %s by %s%s"
            .formatted(
                title,
                options.code().name(),
                Sizes.count(topology.racks() / sites, "rack")
                    + " of "
                    + Sizes.count(topology.nodesIn(0).size(), "node")
                    + (sites == 1 ? "" : " at each of %d sites".formatted(sites)),
                cost.shape(),
                plan().note().isEmpty() ? "" : " (" + plan().note() + ")"));
    lines.add(
        "blocks of %s in slices of %s, %s"
            .formatted(
                Sizes.format(options.blockSize()),
                Sizes.format(options.slice()),
                options.network().text()));
    lines.add("");
    lines.addAll(costs(compared.isEmpty() ? List.of(cost) : compared).lines());
    lines.add("");
    var edges = new TextTable("from", "to", ">blocks", "");
    for (PlanCost.Edge edge : cost.edges()) {
      edges.row(
          topology.nodeName(edge.from()),
          topology.nodeName(edge.to()),
          CodeText.number(edge.blocks()),
          way(edge));
    }
    lines.addAll(edges.lines());
    return lines;
  }

  private String way(PlanCost.Edge edge) {
    return network.sameRack(edge.from(), edge.to())
        ? ""
        : topology.siteOf(edge.from()) == topology.siteOf(edge.to())
            ? "across racks"
            : "across sites";
  }

  private static TextTable costs(List<PlanCost> costs) {
    boolean sites = costs.stream().anyMatch(cost -> cost.crossSite() > 0);
    List<String> header =
        List.of("shape", ">steps", ">busiest link", ">in all", ">across racks", ">across sites");
    List<String> columns = new ArrayList<>(sites ? header : header.subList(0, 5));
    columns.add(">seconds");
    var table = new TextTable(columns.toArray(String[]::new));
    for (PlanCost cost : costs) {
      List<Object> cells = new ArrayList<>(List.of(cost.shape(), cost.steps()));
      cells.add(CodeText.number(cost.busiestLink()));
      cells.add(CodeText.number(cost.total()));
      cells.add(CodeText.number(cost.crossRack()));
      if (sites) {
        cells.add(CodeText.number(cost.crossSite()));
      }
      cells.add(CodeText.number(cost.seconds()));
      table.row(cells.toArray());
    }
    return table;
  }

  /**
   * Writes the requested drawings.
   *
   * @throws IOException when one cannot be written
   */
  void draw() throws IOException {
    if (options.svg().isPresent()) {
      new ReportFile(options.svg().get())
          .write(PlanPicture.svg(view(), title + " by " + plan().shape()));
    }
    if (options.dot().isPresent()) {
      new ReportFile(options.dot().get()).write(PlanPicture.dot(view()));
    }
  }

  private PlanView view() {
    Map<Integer, Set<Integer>> reads = new TreeMap<>();
    Map<Integer, Set<Integer>> stores = new TreeMap<>();
    for (int node : plan().nodes()) {
      reads.put(node, new TreeSet<>());
      stores.put(node, new TreeSet<>());
    }
    for (Step step : plan().steps()) {
      if (step instanceof Step.Read read) {
        reads.getOrDefault(read.node(), new TreeSet<>()).add(read.source().block());
      } else if (step instanceof Step.Store store) {
        stores.getOrDefault(store.node(), new TreeSet<>()).add(store.target().block());
      }
    }
    List<PlanNode> nodes = new ArrayList<>();
    reads.forEach(
        (node, read) ->
            nodes.add(
                new PlanNode(
                    topology.nodeName(node),
                    topology.rackName(topology.rackOf(node)),
                    List.copyOf(read),
                    List.copyOf(stores.getOrDefault(node, Set.of())))));
    List<PlanEdge> edges =
        cost(plan()).edges().stream()
            .map(
                edge ->
                    new PlanEdge(
                        topology.nodeName(edge.from()),
                        topology.nodeName(edge.to()),
                        Math.round(edge.blocks() * options.blockSize())))
            .toList();
    return new PlanView(options.code().name(), plan().shape(), nodes, edges);
  }
}
