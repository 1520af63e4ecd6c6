package org.braid.plan.throttle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.braid.placement.Topology;
import org.braid.plan.Plan;
import org.braid.plan.cost.Network;
import org.braid.plan.shape.RelocationPlanner;
import org.braid.plan.throttle.SharedLink.Kind;
import org.junit.jupiter.api.Test;

final class LinkBytesTest {
  private static final long VALUE = 1 << 20;
  private static final Topology TOPOLOGY =
      Topology.builder()
          .add("a", "r0", "s0")
          .add("b", "r0", "s0")
          .add("c", "r1", "s0")
          .add("d", "r2", "s1")
          .build();
  private static final Network.Rates RATES = new Network.Rates(8 << 20, 4, 1 << 20);

  private final LinkBytes links = new LinkBytes();

  private void move(int from, int to) {
    Plan plan = RelocationPlanner.move(0, 1, from, to);
    links.add(plan, TOPOLOGY, VALUE);
  }

  private double seconds(Map<Kind, Long> limits) {
    return links.seconds(
        RATES, new Throttle(limits, Throttle.NONE.shares(), Throttle.NONE.latencyTargetMicros()));
  }

  @Test
  void eachByteIsOnTheLinksOfItsWay() {
    move(0, 1);
    move(0, 2);
    move(0, 3);
    assertEquals(3 * VALUE, links.total());
    assertEquals(2 * VALUE, links.crossRack());
    assertEquals(VALUE, links.crossSite());
  }

  @Test
  void theLinkThatIsBusyLongestCounts() {
    assertEquals(0, seconds(Map.of()));
    move(0, 1);
    assertEquals(1 / 8.0, seconds(Map.of()), 1e-9, "a node's link");
    move(0, 2);
    assertEquals(1 / 2.0, seconds(Map.of()), 1e-9, "the uplink of the rack of one node");
    move(0, 3);
    assertEquals(1, seconds(Map.of()), 1e-9, "the site's link");
  }

  @Test
  void aThrottleMakesItLonger() {
    move(0, 1);
    move(0, 2);
    double granted = ThrottledRuns.GRANTED * (1 << 18);
    assertEquals(2 * VALUE / granted, seconds(Map.of(Kind.CLUSTER, 1L << 18)), 1e-6);
    assertEquals(VALUE / granted, seconds(Map.of(Kind.UPLINK, 1L << 18)), 1e-6);
    assertEquals(2 * VALUE / granted, seconds(Map.of(Kind.DISK, 1L << 18)), 1e-6, "reads");
    assertEquals(1 / 2.0, seconds(Map.of(Kind.CLUSTER, 1L << 40)), 1e-9, "no limit in effect");
  }

  @Test
  void aLimitOfZeroStopsWhatNeedsTheLink() {
    move(0, 1);
    assertEquals(Double.POSITIVE_INFINITY, seconds(Map.of(Kind.NODE, 0L)));
    assertEquals(1 / 8.0, seconds(Map.of(Kind.UPLINK, 0L)), 1e-9);
  }
}
