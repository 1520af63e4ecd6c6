package org.braid.hdfs.coordinator.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.braid.hdfs.api.RefusedException;
import org.junit.jupiter.api.Test;

final class BatchEndTest {
  private final IOException failure = new IOException("the lease is not held");
  private final IOException refusal = new RefusedException("rs-6-3 needs 9 nodes");

  private static BatchEnd end(IOException failure, boolean halted, boolean leads) {
    return BatchEnd.of(failure, () -> halted, () -> leads);
  }

  /** Else each failover would raise the alarm for policies that fail. */
  @Test
  void whatEndsWithTheLeaseHasNeitherFailedNorIsItRefused() {
    assertEquals(BatchEnd.WITHOUT_LEASE, end(failure, false, false));
    assertEquals(BatchEnd.WITHOUT_LEASE, end(refusal, false, false));
  }

  @Test
  void whatEndsUnderTheLeaseIsTheBatchs() {
    assertEquals(BatchEnd.FAILED, end(failure, false, true));
    assertEquals(BatchEnd.REFUSED, end(refusal, false, true));
  }

  @Test
  void whatIsBrokenOffAsksNobody() {
    BooleanSupplier never =
        () -> {
          throw new AssertionError("the NameNode is asked");
        };
    assertEquals(BatchEnd.BROKEN_OFF, BatchEnd.of(failure, () -> true, never));
  }
}
