package org.braid.hdfs.coordinator.repair;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.braid.hdfs.api.RepairReport.PlanEdge;
import org.braid.hdfs.api.RepairReport.PlanNode;
import org.braid.hdfs.api.RepairReport.PlanView;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.engine.HdfsResult;
import org.braid.hdfs.stripe.Stripe;
import org.braid.plan.Link;
import org.braid.plan.Plan;
import org.braid.plan.Step;
import org.braid.plan.shape.RepairPlanner;

/** Converts plans to their views for the API. */
final class PlanViews {
  private PlanViews() {}

  /** The view of a stripe whose repair rebuilt no block. */
  static PlanView none(Stripe stripe, RepairPlanner planner) {
    return new PlanView(stripe.id(), planner.name(), List.of(), List.of());
  }

  /** The view of the plan that a stripe's repair ran. */
  static PlanView of(
      String stripe, String shape, ClusterState state, Plan plan, HdfsResult result) {
    List<PlanNode> nodes = new ArrayList<>();
    for (int node : plan.nodes()) {
      Set<Integer> reads = new TreeSet<>();
      Set<Integer> stores = new TreeSet<>();
      for (Step step : plan.steps()) {
        if (step.node() == node && step instanceof Step.Read read) {
          reads.add(read.source().block());
        } else if (step.node() == node && step instanceof Step.Store store) {
          stores.add(store.target().block());
        }
      }
      nodes.add(
          new PlanNode(
              state.name(node),
              state.topology().rackName(state.topology().rackOf(node)),
              List.copyOf(reads),
              List.copyOf(stores)));
    }
    List<PlanEdge> edges = new ArrayList<>();
    for (Map.Entry<Link, Long> link : result.links().entrySet()) {
      edges.add(
          new PlanEdge(
              state.name(link.getKey().from()), state.name(link.getKey().to()), link.getValue()));
    }
    return new PlanView(stripe, shape, Collections.unmodifiableList(nodes), edges);
  }
}
