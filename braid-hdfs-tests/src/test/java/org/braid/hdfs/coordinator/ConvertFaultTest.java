package org.braid.hdfs.coordinator;

import java.util.Random;
import org.braid.hdfs.fault.FaultStep;
import org.braid.testing.Seeds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Conversions stopped at every step. */
final class ConvertFaultTest extends FaultCases {
  private static final Random RANDOM = Seeds.random(ConvertFaultTest.class);

  ConvertFaultTest() {
    super(RANDOM);
  }

  @ParameterizedTest(name = "{0} stopped at {1} by {2}, {3}")
  @MethodSource("conversions")
  void stopped(Work work, FaultStep step, Stop stop, Stored stored) throws Exception {
    nothingIsLost(work, step, stop, stored);
  }
}
