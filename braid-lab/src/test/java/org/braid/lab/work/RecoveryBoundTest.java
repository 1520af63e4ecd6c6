package org.braid.lab.work;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.braid.lab.network.LabTopology;
import org.braid.lab.network.LinkLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RecoveryBoundTest {
  private static final LabTopology LAB = LabTopology.parse("6x3", 1);
  private static final double BYTES = 102e6;

  /** With two blocks a rack, the new block's own rack has one, and two others four of six. */
  @ParameterizedTest
  @CsvSource({"6, 2, 3", "6, 1, 6", "10, 4, 2", "10, 14, 0", "12, 2, 6"})
  void racksAddUpBeforeBlocksCross(int k, int perRack, int crossings) {
    assertEquals(crossings, RecoveryBound.crossings(k, perRack));
  }

  /** 17 nodes of 1 MB/s send 612 MB in 36 s; six uplinks of 3 MB/s carry 306 MB in 17 s. */
  @Test
  void withoutOversubscriptionNodesBind() {
    LinkLimits limits = LinkLimits.of(1e6, 1);
    assertEquals(36 / 0.956, RecoveryBound.seconds(LAB, limits, "r0n0", BYTES, 6, 3), 1e-9);
  }

  @Test
  void withMuchOversubscriptionUplinksBind() {
    LinkLimits limits = LinkLimits.of(1e6, 5);
    assertEquals(85 / 0.956, RecoveryBound.seconds(LAB, limits, "r0n0", BYTES, 6, 3), 1e-9);
  }

  @Test
  void aNodeOfAnotherRateCountsByIt() {
    LinkLimits limits = LinkLimits.of(1e6, 1).with("r0n1", 18e6);
    assertEquals(18 / 0.956, RecoveryBound.seconds(LAB, limits, "r0n0", BYTES, 6, 0), 1e-9);
  }
}
