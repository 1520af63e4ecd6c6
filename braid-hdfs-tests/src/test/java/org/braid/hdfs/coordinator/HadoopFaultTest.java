package org.braid.hdfs.coordinator;

import java.util.Random;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.testkit.embedded.EmbeddedLocks;
import org.braid.testing.Seeds;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The active NameNode halts amid each work, with the finest locks that this Hadoop has. Short
 * enough to run with each Hadoop that Braid runs in.
 */
final class HadoopFaultTest extends FaultCases {
  private static final Random RANDOM = Seeds.random(HadoopFaultTest.class);

  HadoopFaultTest() {
    super(RANDOM, 2, EmbeddedLocks.finest());
  }

  @ParameterizedTest(name = "{0} stopped at {1} by {2}, {3}")
  @MethodSource("failoverOfEach")
  void stopped(Work work, FaultStep step, Stop stop, Stored stored) throws Exception {
    nothingIsLost(work, step, stop, stored);
  }
}
