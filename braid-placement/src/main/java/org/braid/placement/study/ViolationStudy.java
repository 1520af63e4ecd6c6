package org.braid.placement.study;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.replication.PreliminaryReplication;
import org.braid.placement.replication.ReplicaLayout;
import org.braid.placement.replication.ReplicatedStripe;
import org.braid.placement.rule.StripeLimits;

/**
 * Compares the probability that a stripe of preliminary encoding-aware replication needs
 * relocations, by equation (1), with the share of placed stripes that do (EAR fig. 3).
 */
public final class ViolationStudy {
  /**
   * Standard errors by which the measured share may differ; chance exceeds it once in two million.
   */
  private static final double ERRORS = 5;

  private static final int REPLICAS = 3;

  private ViolationStudy() {}

  /**
   * A point of the figure.
   *
   * @param k data blocks of a stripe
   * @param racks R
   * @param equation the probability by equation (1)
   * @param measured the share of placed stripes
   * @param held whether sampling explains the difference
   */
  public record Point(int k, int racks, double equation, double measured, boolean held) {}

  /**
   * Measures the points of all pairs of k and R.
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
    PreliminaryReplication policy = new PreliminaryReplication(ReplicaLayout.HDFS);
    int violated = 0;
    for (int stripe = 0; stripe < stripes; stripe++) {
      ReplicatedStripe state = policy.placeStripe(k, EligibleNodes.all(topology), REPLICAS, random);
      violated += StripeLimits.perRack(1).matching(topology, state.replicas()).isFull() ? 0 : 1;
    }
    double equation = ViolationProbability.preliminary(racks, k);
    double measured = (double) violated / stripes;
    double allowed = ERRORS * Math.sqrt(equation * (1 - equation) / stripes) + 1.0 / stripes;
    return new Point(k, racks, equation, measured, Math.abs(measured - equation) <= allowed);
  }
}
