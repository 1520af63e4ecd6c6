package org.braid.placement.study;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.braid.placement.EncodingAwareReplication.StripeState;
import org.braid.placement.Matching;
import org.braid.placement.PreliminaryReplication;
import org.braid.placement.ReplicaLayout;
import org.braid.placement.StripeLimits;
import org.braid.placement.Topology;
import org.braid.placement.ViolationProbability;

/**
 * How often stripes of preliminary encoding-aware replication violate the tolerance of racks (EAR
 * fig. 3): equation (1) and stripes that are placed.
 */
public final class ViolationStudy {
  /** Standard errors that the measured share may be off; beyond is one case in two million. */
  private static final double ERRORS = 5;

  private static final int REPLICAS = 3;

  private ViolationStudy() {}

  /**
   * One point of the figure.
   *
   * @param k data blocks of a stripe
   * @param racks R
   * @param equation the probability by equation (1)
   * @param measured the share of placed stripes
   * @param held whether the two differ by no more than sampling explains
   */
  public record Point(int k, int racks, double equation, double measured, boolean held) {}

  /**
   * Points for all pairs.
   *
   * @param ks data blocks of a stripe
   * @param racks numbers of racks, of three nodes each
   * @param stripes stripes to place for each point
   */
  public static List<Point> run(
      List<Integer> ks, List<Integer> racks, int stripes, RandomGenerator random) {
    List<Point> points = new ArrayList<>();
    for (int k : ks) {
      for (int count : racks) {
        points.add(point(k, count, stripes, random));
      }
    }
    return points;
  }

  private static Point point(int k, int racks, int stripes, RandomGenerator random) {
    Topology topology = Topology.of(racks, REPLICAS);
    PreliminaryReplication policy = new PreliminaryReplication(topology, ReplicaLayout.HDFS);
    int violated = 0;
    for (int stripe = 0; stripe < stripes; stripe++) {
      StripeState state = StripeState.EMPTY;
      for (int block = 0; block < k; block++) {
        state = state.plus(policy.place(state, node -> true, -1, REPLICAS, random));
      }
      violated += Matching.of(topology, state.replicas(), StripeLimits.perRack(1)).isFull() ? 0 : 1;
    }
    double equation = ViolationProbability.preliminary(racks, k);
    double measured = (double) violated / stripes;
    double allowed = ERRORS * Math.sqrt(equation * (1 - equation) / stripes) + 1.0 / stripes;
    return new Point(k, racks, equation, measured, Math.abs(measured - equation) <= allowed);
  }
}
