package org.braid.hdfs.coordinator;

import java.util.Random;
import org.braid.hdfs.fault.FaultStep;
import org.braid.testing.Seeds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The active NameNode halts at every step, and the other one goes on. */
final class FailoverFaultTest extends FaultCases {
  private static final Random RANDOM = Seeds.random(FailoverFaultTest.class);

  FailoverFaultTest() {
    super(RANDOM, 2);
  }

  @ParameterizedTest(name = "{0} stopped at {1} by {2}, {3}")
  @MethodSource("failovers")
  void stopped(Work work, FaultStep step, Stop stop, Stored stored) throws Exception {
    nothingIsLost(work, step, stop, stored);
  }
}
