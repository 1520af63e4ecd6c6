package org.braid.code.hitchhiker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.braid.code.Codes;
import org.braid.code.ErasureCodeContract;
import org.braid.code.Matrix;
import org.braid.code.UnknownCodeException;
import org.braid.code.rs.ReedSolomon;
import org.braid.code.rs.RsSettings;
import org.junit.jupiter.api.Test;

final class HitchhikerXorTest extends ErasureCodeContract {
  @Override
  protected List<Member> members() {
    return List.of(
        new Member("hitchhiker-xor-1-2", 2),
        new Member("hitchhiker-xor-3-4", 4),
        new Member("hitchhiker-xor-4-2", 2),
        new Member("hitchhiker-xor-6-3", 3),
        new Member("hitchhiker-xor-10-4", 4),
        new Member("hitchhiker-xor-12-4", 4),
        new Member("hitchhiker-xor-40-8", 8));
  }

  private static HitchhikerXor code(int k, int m) {
    return new HitchhikerXor(new HitchhikerSettings(k, m));
  }

  /** As published for (10, 4): a 0-2 on parity 1, a 3-5 on parity 2, a 6-9 on parity 3. */
  @Test
  void secondHalvesCarryTheSumsOfFirstHalves() {
    Matrix generator = code(10, 4).generator();
    Matrix base = new ReedSolomon(new RsSettings(10, 4)).generator();
    int[] firsts = IntStream.range(0, 10).map(i -> 2 * i).toArray();
    int[] seconds = IntStream.range(0, 10).map(i -> 2 * i + 1).toArray();
    int[][] carried = {
      {0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
      {1, 1, 1, 0, 0, 0, 0, 0, 0, 0},
      {0, 0, 0, 1, 1, 1, 0, 0, 0, 0},
      {0, 0, 0, 0, 0, 0, 1, 1, 1, 1}
    };
    for (int j = 0; j < 4; j++) {
      int[] first = {20 + 2 * j};
      int[] second = {20 + 2 * j + 1};
      assertEquals(base.select(10 + j), generator.select(first, firsts));
      assertEquals(base.select(10 + j), generator.select(second, seconds));
      assertEquals(Matrix.of(1, 10, new int[10]), generator.select(first, seconds));
      assertEquals(Matrix.of(1, 10, carried[j]), generator.select(second, firsts));
    }
  }

  @Test
  void aDataBlockIsRepairedFromKAndItsGroup() {
    assertEquals(List.of(13, 13, 13, 13, 13, 13, 14, 14, 14, 14), reads(code(10, 4)));
    assertEquals(List.of(9, 9, 9, 9, 9, 9), reads(code(6, 3)));
    // one group of everything: nothing is gained over 2 k halves
    assertEquals(List.of(8, 8, 8, 8), reads(code(4, 2)));
    assertEquals(List.of(), code(10, 4).repairSets(Set.of(10)));
    assertEquals(List.of(), code(10, 4).repairSets(Set.of(0, 1)));
    assertEquals(List.of(), code(10, 4).repairSets(Set.of()));
  }

  private static List<Integer> reads(HitchhikerXor code) {
    return IntStream.range(0, code.k())
        .mapToObj(b -> code.repairSets(Set.of(b)).get(0).size())
        .toList();
  }

  @Test
  void otherParametersAreRefusedWithTheirNumbers() {
    refused(
        "m = 1, Hitchhiker-XOR needs at least 2 parity blocks, one of them to carry sums", 6, 1);
    refused("k = 2, Hitchhiker-XOR needs k >= m - 1 = 3 data blocks", 2, 4);
    refused("k = 0, Hitchhiker-XOR needs k >= m - 1 = 1 data blocks", 0, 2);
    refused("k + m = 256, Hitchhiker-XOR over GF(2^8) takes at most 255 blocks", 250, 6);
  }

  private static void refused(String message, int k, int m) {
    assertEquals(
        message,
        assertThrows(IllegalArgumentException.class, () -> new HitchhikerSettings(k, m))
            .getMessage());
  }

  @Test
  void malformedNamesGetTheReason() {
    assertEquals(
        "\"hitchhiker-xor-6\" is not a code: it has 1 parameter, not 2; the pattern is"
            + " hitchhiker-xor-K-M, for example hitchhiker-xor-10-4",
        assertThrows(UnknownCodeException.class, () -> Codes.named("hitchhiker-xor-6"))
            .getMessage());
  }

  @Test
  void equalSettingsAreEqualCodes() {
    HitchhikerXor code = code(6, 3);
    assertEquals(code, code(6, 3));
    assertEquals(code.hashCode(), code(6, 3).hashCode());
    assertNotEquals(code, code(6, 4));
  }
}
