package org.braid.hdfs.coordinator.convert;

import org.braid.code.ErasureCode;
import org.braid.hdfs.coordinator.convert.Grouper.Group;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.placement.Topology;
import org.braid.placement.rule.EncodedStripe;
import org.braid.plan.Plan;
import org.braid.plan.cost.PlanCost;

/**
 * What writing and finishing a stripe would take.
 *
 * @param length bytes of a parity block
 * @param relocated data blocks that would move
 * @param movedBytes bytes that encoding and relocation would move between nodes
 * @param crossRackBytes of these, across racks
 */
record PredictedStripe(
    int parityBlocks, long length, int relocated, long movedBytes, long crossRackBytes) {
  /**
   * Adds up a stripe that was laid and planned.
   *
   * @param length bytes of a parity block
   */
  static PredictedStripe of(
      ErasureCode code,
      Group group,
      EncodedStripe places,
      Plan plan,
      ClusterState state,
      long length) {
    Topology topology = state.topology();
    PlanCost cost = PlanCost.of(plan, code.alpha(), topology);
    long moved = Math.round(cost.total() * length);
    long crossRack = Math.round(cost.crossRack() * length);
    for (int position : places.relocated()) {
      BlockStatus block = group.blocks().get(position).status();
      // The copy that StripeFinisher moves.
      int source = state.readable(block)[0];
      moved += block.block().length();
      if (topology.rackOf(source) != topology.rackOf(places.dataNodes()[position])) {
        crossRack += block.block().length();
      }
    }
    return new PredictedStripe(code.m(), length, places.relocated().size(), moved, crossRack);
  }
}
