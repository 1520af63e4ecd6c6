package org.braid.code.flr;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.braid.code.ErasureCodeContract;
import org.braid.code.LocalGroup;
import org.braid.code.Matrix;
import org.braid.code.Overhead;
import org.braid.code.Promises.Combinations;
import org.braid.code.Solver;
import org.braid.code.rs.ReedSolomon;
import org.braid.code.rs.RsSettings;
import org.junit.jupiter.api.Test;

final class FlatLocalRecoveryTest extends ErasureCodeContract {
  @Override
  protected List<Member> members() {
    return List.of(
        new Member("flr-n3-g1-l1", 2),
        new Member("flr-n6-g1-l2", 2),
        new Member("flr-n9-g3-l2", 4),
        new Member("flr-n10-g2-l3", 3),
        new Member("flr-n14-g4-l2", 5),
        new Member("flr-n20-g2-l4", 3),
        new Member("flr-n255-g4-l6", 5));
  }

  private static FlatLocalRecovery code(int n, int globals, int locals) {
    return new FlatLocalRecovery(new FlrSettings(n, globals, locals));
  }

  /** R-STAIR §V-A and figure 6: n / (n - 1 - m' - 2) for m = 1, with two groups. */
  @Test
  void storageIsThePapers() {
    assertEquals(1.75, Overhead.of(code(14, 4, 2)));
    for (int n = 10; n <= 20; n++) {
      for (int partial = 1; partial <= 4; partial++) {
        assertEquals(
            (double) n / (n - 1 - partial - 2), Overhead.of(code(n, 1 + partial, 2)), 1e-12);
      }
    }
  }

  @Test
  void groupsDifferByAtMostOneBlock() {
    assertEquals(
        List.of(
            new LocalGroup("local 0", List.of(0, 1, 6), 1),
            new LocalGroup("local 1", List.of(2, 3, 7), 1),
            new LocalGroup("local 2", List.of(4, 5, 8), 1)),
        code(11, 2, 3).groups());
    assertEquals(
        List.of(
            new LocalGroup("local 0", List.of(0, 1, 2, 5), 1),
            new LocalGroup("local 1", List.of(3, 4, 6), 1)),
        code(9, 2, 2).groups());
  }

  @Test
  void localParitiesAreSums() {
    FlatLocalRecovery code = code(14, 4, 2);
    assertArrayEquals(new int[] {1, 1, 1, 1, 0, 0, 0, 0}, code.generator().row(8));
    assertArrayEquals(new int[] {0, 0, 0, 0, 1, 1, 1, 1}, code.generator().row(9));
  }

  @Test
  void globalParitiesAreThoseOfReedSolomon() {
    Matrix generator = code(14, 4, 2).generator();
    Matrix mds = new ReedSolomon(new RsSettings(8, 4)).generator();
    assertEquals(mds.select(8, 9, 10, 11), generator.select(10, 11, 12, 13));
  }

  @Test
  void everyBlockHasItsOwnRack() {
    assertEquals(Optional.of(IntStream.range(0, 14).boxed().toList()), code(14, 4, 2).racks());
  }

  /** A group with the global parities can lose g + 1 blocks, whichever, and never g + 2. */
  @Test
  void toleranceIsExact() {
    for (int n = 5; n <= 12; n++) {
      for (int locals = 1; locals <= 3; locals++) {
        for (int globals = 1; globals <= n - 2 * locals; globals++) {
          FlatLocalRecovery code = code(n, globals, locals);
          int t = globals + 1;
          new Combinations(n, t)
              .each(
                  lost -> {
                    assertTrue(Solver.decodable(code, lost), () -> code + " without " + lost);
                    return true;
                  });
          List<Integer> fatal =
              IntStream.concat(IntStream.range(n - globals, n), IntStream.of(0, code.k()))
                  .boxed()
                  .toList();
          assertEquals(t + 1, fatal.size());
          assertFalse(Solver.decodable(code, fatal), () -> code + " without " + fatal);
        }
      }
    }
  }

  @Test
  void otherParametersAreRefusedWithTheirNumbers() {
    refused("g = 0, flat local recovery needs at least 1 global parity", 14, 0, 2);
    refused("l = 0, flat local recovery needs at least 1 local parity", 14, 4, 0);
    refused("n - g - l = 1 data blocks are too few for l = 2 groups", 7, 4, 2);
    refused(
        "n - g - l = -4294967280 data blocks are too few for l = 2147483647 groups",
        14,
        Integer.MAX_VALUE,
        Integer.MAX_VALUE);
    refused("n = 256, flat local recovery over GF(2^8) takes at most 255 blocks", 256, 4, 2);
  }

  private static void refused(String message, int n, int globals, int locals) {
    assertEquals(
        message,
        assertThrows(IllegalArgumentException.class, () -> new FlrSettings(n, globals, locals))
            .getMessage());
  }

  @Test
  void equalSettingsAreEqualCodes() {
    assertEquals(code(14, 4, 2), code(14, 4, 2));
    assertEquals(code(14, 4, 2).hashCode(), code(14, 4, 2).hashCode());
    assertNotEquals(code(14, 4, 2), code(14, 4, 1));
  }
}
