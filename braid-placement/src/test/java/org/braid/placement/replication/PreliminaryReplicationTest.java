package org.braid.placement.replication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.random.RandomGenerator;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.rule.StripeLimits;
import org.braid.placement.study.ViolationProbability;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

class PreliminaryReplicationTest extends PlacementContract {
  @Override
  int[] place(EligibleNodes eligible, int writer, int replicas, RandomGenerator random) {
    return new PreliminaryReplication(ReplicaLayout.HDFS)
        .place(ReplicatedStripe.EMPTY, eligible, writer, replicas, random)
        .nodes();
  }

  /** EAR section 3.1.2: 0.97 for k = 12 and R = 16. */
  @Test
  void equationGivesTheNumberOfThePaper() {
    assertEquals(0.97, ViolationProbability.preliminary(16, 12), 0.005);
    assertEquals(0, ViolationProbability.preliminary(40, 1), 1e-12);
    assertEquals(0, ViolationProbability.preliminary(2, 2), 1e-12);
    // k = 3, R = 4: 27 layouts, of which only the 3 with one rack for all blocks violate.
    assertEquals(3 / 27.0, ViolationProbability.preliminary(4, 3), 1e-12);
    assertEquals(1, ViolationProbability.preliminary(5, 10), 1e-12);
    assertEquals(
        "1 racks and k = 3, needed are 2 racks and k = 1 or more",
        assertThrows(IllegalArgumentException.class, () -> ViolationProbability.preliminary(1, 3))
            .getMessage());
  }

  /** Equation (1) against stripes that are really placed, over the racks of fig. 3. */
  @Test
  void equationIsWhatHappens() {
    Random random = Seeds.random(getClass());
    for (int[] kAndRacks : new int[][] {{10, 14}, {10, 24}, {10, 40}, {12, 16}, {12, 32}}) {
      int k = kAndRacks[0];
      Topology topology = Topology.of(kAndRacks[1], 3);
      PreliminaryReplication policy = new PreliminaryReplication(ReplicaLayout.HDFS);
      int stripes = 3000;
      int violated = 0;
      for (int stripe = 0; stripe < stripes; stripe++) {
        ReplicatedStripe state = ReplicatedStripe.EMPTY;
        for (int block = 0; block < k; block++) {
          state = state.plus(policy.place(state, EligibleNodes.all(topology), -1, 3, random));
        }
        violated += StripeLimits.perRack(1).matching(topology, state.replicas()).isFull() ? 0 : 1;
        int encoder = EncoderChoice.coreRack(EligibleNodes.all(topology), state.replicas(), random);
        assertEquals(0, EncoderChoice.crossRackDownloads(topology, encoder, state.replicas()));
      }
      double expected = ViolationProbability.preliminary(topology.racks(), k);
      double measured = (double) violated / stripes;
      double tolerance = 5 * Math.sqrt(expected * (1 - expected) / stripes) + 1.0 / stripes;
      assertTrue(
          Math.abs(measured - expected) < tolerance,
          "k = %d, R = %d: measured %.4f, equation (1) %.4f, tolerance %.4f"
              .formatted(k, topology.racks(), measured, expected, tolerance));
    }
  }
}
