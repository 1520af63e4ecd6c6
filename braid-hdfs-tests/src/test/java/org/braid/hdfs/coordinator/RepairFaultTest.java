package org.braid.hdfs.coordinator;

import java.util.Random;
import org.braid.hdfs.fault.FaultStep;
import org.braid.testing.Seeds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Repairs stopped at every step. */
final class RepairFaultTest extends FaultCases {
  private static final Random RANDOM = Seeds.random(RepairFaultTest.class);

  RepairFaultTest() {
    super(RANDOM);
  }

  @ParameterizedTest(name = "{0} stopped at {1} by {2}, {3}")
  @MethodSource("repairs")
  void stopped(Work work, FaultStep step, Stop stop, Stored stored) throws Exception {
    nothingIsLost(work, step, stop, stored);
  }
}
