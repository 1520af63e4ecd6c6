package org.braid.hdfs.coordinator;

import java.util.Random;
import org.braid.hdfs.fault.FaultStep;
import org.braid.testing.Seeds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Restorations stopped at every step. */
final class RestoreFaultTest extends FaultCases {
  private static final Random RANDOM = Seeds.random(RestoreFaultTest.class);

  RestoreFaultTest() {
    super(RANDOM);
  }

  @ParameterizedTest(name = "{0} stopped at {1} by {2}, {3}")
  @MethodSource("restorations")
  void stopped(Work work, FaultStep step, Stop stop, Stored stored) throws Exception {
    nothingIsLost(work, step, stop, stored);
  }
}
