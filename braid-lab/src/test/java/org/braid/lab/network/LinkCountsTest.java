package org.braid.lab.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LinkCountsTest {
  private static final LabTopology LAB = LabTopology.parse("2x2x1", 0);

  /** Device i of the list received 1000 + i and sent 2000 + i bytes. */
  private static List<String> lines(String... devices) {
    List<String> lines = new ArrayList<>();
    lines.add("Inter-|   Receive                            |  Transmit");
    lines.add(" face |bytes    packets errs drop fifo frame compressed multicast|bytes");
    for (int i = 0; i < devices.length; i++) {
      lines.add("%6s: %d 7 0 0 0 0 0 0 %d 9 0 0 0 0 0 0".formatted(devices[i], 1000 + i, 2000 + i));
    }
    return lines;
  }

  private static final String[] DEVICES = {
    "lo", "core", "p0", "p1", "p2", "p3", "p4", "p5", "u0", "k0", "u1", "k1", "u2", "k2", "u3",
    "k3", "s0", "w0", "s1", "w1"
  };

  @Test
  void directionsAreThoseOfTheHostRackAndSite() {
    LinkCounts counts = LinkCounts.parse(LAB, lines(DEVICES));
    // The port of s0r0n0 is p2, which receives what the host sends.
    assertEquals(new CarriedBytes(1004, 2004), counts.hosts().get("s0r0n0"));
    assertEquals(new CarriedBytes(2008, 2009), counts.racks().get("s0r0"));
    assertEquals(new CarriedBytes(2018, 2019), counts.sites().get("s1"));
    assertEquals(2008 + 2010 + 2012 + 2014, counts.crossRack());
  }

  @Test
  void differencesAreByLink() {
    LinkCounts first = LinkCounts.parse(LAB, lines(DEVICES));
    LinkCounts none = first.since(first);
    assertEquals(0, none.crossRack());
    assertEquals(new CarriedBytes(0, 0), none.hosts().get("nn"));
  }

  @Test
  void missingDeviceIsAnError() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> LinkCounts.parse(LAB, lines("lo", "p0")));
    assertEquals("the lab's network has no device p1", e.getMessage());
  }
}
