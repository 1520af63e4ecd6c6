package org.braid.hdfs.coordinator.convert;

import java.util.Arrays;
import org.braid.code.ErasureCode;
import org.braid.hdfs.coordinator.convert.Grouper.Group;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.placement.Topology;
import org.braid.placement.rule.EncodedStripe;
import org.braid.plan.Plan;
import org.braid.plan.shape.RelocationPlanner;
import org.braid.plan.throttle.LinkBytes;
import org.braid.plan.throttle.SharedLink;

/**
 * The predicted cost of writing and finishing a stripe.
 *
 * @param length bytes of a parity block
 * @param relocated data blocks that would move
 */
record PredictedStripe(int parityBlocks, long length, int relocated) {
  /**
   * Computes the cost of a stripe that was laid and planned.
   *
   * @param length bytes of a parity block
   * @param links gets the bytes that encoding and relocation would move
   */
  static PredictedStripe of(
      ErasureCode code,
      Group group,
      EncodedStripe places,
      Plan plan,
      ClusterState state,
      long length,
      LinkBytes links) {
    Topology topology = state.topology();
    links.add(plan, topology, length / code.alpha());
    int relocated = 0;
    for (int position : places.relocated()) {
      BlockStatus block = group.blocks().get(position).status();
      int[] holders = state.readable(block);
      int home = places.dataNodes()[position];
      // Where there is no other node, a replica stays on the wrong type of storage.
      if (Arrays.stream(holders).noneMatch(node -> node == home)) {
        // The copy that StripeFinisher moves.
        Plan move = RelocationPlanner.move(position, 1, holders[0], home);
        links.add(move, topology, block.block().length());
        relocated++;
      }
    }
    // Each block is read once more where it stays.
    for (int i = 0; i < group.blocks().size(); i++) {
      long data = group.blocks().get(i).status().block().length();
      links.add(SharedLink.disk(topology.nodeName(places.dataNodes()[i])), data);
    }
    for (int node : places.parityNodes()) {
      links.add(SharedLink.disk(topology.nodeName(node)), length);
    }
    return new PredictedStripe(code.m(), length, relocated);
  }
}
