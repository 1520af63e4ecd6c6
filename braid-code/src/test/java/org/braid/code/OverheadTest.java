package org.braid.code;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OverheadTest {
  /** Geo-MXOR §V-A and table II, R-STAIR §V-A for rs-10-4. */
  @ParameterizedTest
  @CsvSource({"rs-10-4,1.4,1.8", "xorbas-10-6-5,1.6,2.2", "mxor-10-7,1.7,2.4", "rep-3,3.0,5.0"})
  void parityIsKeptOnceOrTwice(String name, double once, double twice) {
    ErasureCode code = Codes.named(name);
    assertEquals(once, Overhead.of(code), 1e-12);
    assertEquals(once, Overhead.replicatedParity(code, 1), 1e-12);
    assertEquals(twice, Overhead.replicatedParity(code, 2), 1e-12);
  }

  /** Geo-MXOR §V-D: beyond two copies the parities come close to triple replication. */
  @Test
  void threeCopiesOfParityNearTripleReplication() {
    assertEquals(2.8, Overhead.replicatedParity(Codes.named("xorbas-10-6-5"), 3), 1e-12);
    assertEquals(3.1, Overhead.replicatedParity(Codes.named("mxor-10-7"), 3), 1e-12);
  }

  @Test
  void noCopiesAreRefused() {
    ErasureCode code = Codes.named("rs-10-4");
    assertEquals(
        "0 copies of each parity block, needs at least 1",
        assertThrows(IllegalArgumentException.class, () -> Overhead.replicatedParity(code, 0))
            .getMessage());
  }
}
