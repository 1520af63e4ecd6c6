package org.braid.plan.throttle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.braid.placement.Topology;
import org.braid.plan.shape.RelocationPlanner;
import org.braid.plan.throttle.SharedLink.Kind;
import org.braid.plan.throttle.SharedLink.Way;
import org.junit.jupiter.api.Test;

final class ThrottleTest {
  private static Throttle limits(Map<Kind, Long> limits) {
    return new Throttle(limits, Throttle.NONE.shares(), 0);
  }

  @Test
  void nothingIsLimitedUnlessSaid() {
    assertFalse(Throttle.NONE.inForce());
    assertTrue(limits(Map.of(Kind.SITE, 1L << 20)).inForce());
    assertTrue(new Throttle(Map.of(), Throttle.NONE.shares(), 5).inForce());
  }

  @Test
  void zeroStopsAndIsSaid() {
    assertEquals("", limits(Map.of(Kind.NODE, 1L << 20)).stopped());
    assertEquals("uplink", limits(Map.of(Kind.UPLINK, 0L, Kind.NODE, 1L << 20)).stopped());
  }

  @Test
  void whatCannotBeIsRefused() {
    assertEquals(
        "a throttle of 100 bytes a second for node: needed are 65536 (64k) or more, or 0 to stop",
        assertThrows(IllegalArgumentException.class, () -> limits(Map.of(Kind.NODE, 100L)))
            .getMessage());
    assertEquals(
        "the shares of repair and conversion are 1.5 together, at most 1 can be shared",
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    new Throttle(
                        Map.of(), Map.of(WorkClass.REPAIR, 0.75, WorkClass.CONVERSION, 0.75), 0))
            .getMessage());
    assertEquals(
        "a share of -0.5 for repair: needed is a number from 0 to 1",
        assertThrows(
                IllegalArgumentException.class,
                () -> new Throttle(Map.of(), Map.of(WorkClass.REPAIR, -0.5), 0))
            .getMessage());
  }

  @Test
  void aPlanLoadsTheLinksThatItCrossesAndTheDisksItUses() {
    Topology topology = Topology.parse("2x2x2");
    assertEquals(
        Map.of(
            SharedLink.CLUSTER,
            1,
            SharedLink.disk("s0r0n0"),
            1,
            SharedLink.disk("s1r0n1"),
            1,
            new SharedLink(Kind.NODE, "s0r0n0", Way.OUT),
            1,
            new SharedLink(Kind.NODE, "s1r0n1", Way.IN),
            1,
            new SharedLink(Kind.UPLINK, "s0r0", Way.OUT),
            1,
            new SharedLink(Kind.UPLINK, "s1r0", Way.IN),
            1,
            new SharedLink(Kind.SITE, "s0", Way.OUT),
            1,
            new SharedLink(Kind.SITE, "s1", Way.IN),
            1),
        LinkLoads.of(RelocationPlanner.move(3, 1, 0, 5), topology));
    assertEquals(
        Map.of(
            SharedLink.CLUSTER,
            1,
            SharedLink.disk("s0r0n0"),
            1,
            SharedLink.disk("s0r0n1"),
            1,
            new SharedLink(Kind.NODE, "s0r0n0", Way.OUT),
            1,
            new SharedLink(Kind.NODE, "s0r0n1", Way.IN),
            1),
        LinkLoads.of(RelocationPlanner.move(3, 1, 0, 1), topology));
  }
}
