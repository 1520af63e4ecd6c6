package org.braid.lab.network;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RingFlowsTest {
  @Test
  void ringsFillWhatTheyCross() {
    LabTopology lab = LabTopology.parse("6x3", 1);
    LinkLimits limits = LinkLimits.of(1e6, 5);
    Map<String, List<HostPair>> rings = RingFlows.of(lab);
    assertEquals(List.of("in racks", "across racks"), List.copyOf(rings.keySet()));
    assertEquals(18, rings.get("in racks").size());
    assertEquals(18e6, RingFlows.capacity(lab, limits, rings.get("in racks")), 1);
    // Six uplinks of three fifths of a link.
    assertEquals(6 * 0.6e6, RingFlows.capacity(lab, limits, rings.get("across racks")), 1);
  }

  @Test
  void sitesHaveARing() {
    LabTopology lab = LabTopology.parse("3x1x2", 0);
    Map<String, List<HostPair>> rings = RingFlows.of(lab);
    assertEquals(List.of("in racks", "across racks", "across sites"), List.copyOf(rings.keySet()));
    LinkLimits limits = LinkLimits.of(1e6, 1).withSite(5e5);
    assertEquals(1.5e6, RingFlows.capacity(lab, limits, rings.get("across sites")), 1);
  }

  @Test
  void oneNodeHasNoRing() {
    assertTrue(RingFlows.of(LabTopology.parse("1x1", 0)).isEmpty());
    assertEquals(1, RingFlows.of(LabTopology.parse("2x1", 0)).size());
  }

  @Test
  void sharesAreMaxMinFair() {
    LabTopology lab = LabTopology.parse("2x3", 0);
    LinkLimits limits = LinkLimits.of(10e6, 10).with("r0n2", 1e6);
    // Uplink: 21 / 10 of 1e6. The second flow shares its sender's link with the third.
    List<HostPair> flows =
        List.of(
            new HostPair("r0n0", "r1n0"),
            new HostPair("r0n1", "r1n1"),
            new HostPair("r0n1", "r0n0"),
            new HostPair("r0n2", "r1n2"));
    double[] shares = new FairShares(lab, limits).of(flows);
    assertArrayEquals(new double[] {0.7e6, 0.7e6, 9.3e6, 0.7e6}, shares, 1);
  }

  @Test
  void flowsWithoutLimitsHaveNoBound() {
    LabTopology lab = LabTopology.parse("2x1", 0);
    double[] shares =
        new FairShares(lab, LinkLimits.NONE.with("r0n0", 1e6))
            .of(
                List.of(
                    new HostPair("r0n0", "r1n0"),
                    new HostPair("r1n0", "r0n0"),
                    new HostPair("nn", "ld")));
    assertArrayEquals(new double[] {1e6, 1e6, Double.POSITIVE_INFINITY}, shares);
  }
}
