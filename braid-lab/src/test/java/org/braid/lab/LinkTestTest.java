package org.braid.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("lab")
final class LinkTestTest {
  @Test
  void tooLittleAndTooMuchAreWrong() {
    assertTrue(new LinkTest.Ring("in racks", 2, 1e8, 0.91e8).ok());
    assertFalse(new LinkTest.Ring("in racks", 2, 1e8, 0.89e8).ok());
    assertTrue(new LinkTest.Ring("in racks", 2, 1e8, 1.04e8).ok());
    assertFalse(new LinkTest.Ring("in racks", 2, 1e8, 1.06e8).ok());
    // Two buckets of 128 KiB are an eighth of what a slow link carries in two seconds.
    assertTrue(new LinkTest.Ring("in racks", 2, 1e6, 1.15e6).ok());
    assertFalse(new LinkTest.Ring("in racks", 2, 1e6, 1.2e6).ok());
  }

  @Test
  void ringsAreWrittenWithTheirShare() {
    assertEquals(
        "18 flows across racks: 340.0 of 344.0 Mbit/s, 98.8%",
        new LinkTest.Ring("across racks", 18, 43e6, 42.5e6).toString());
  }
}
