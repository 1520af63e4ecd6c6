package org.braid.code.rs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.braid.code.ErasureCodeContract;
import org.braid.code.Matrix;
import org.junit.jupiter.api.Test;

final class ReedSolomonTest extends ErasureCodeContract {
  @Override
  protected List<Member> members() {
    return List.of(
        new Member("rs-1-1", 1),
        new Member("rs-3-2", 2),
        new Member("rs-6-3", 3),
        new Member("rs-5-5", 5),
        new Member("rs-10-4", 4),
        new Member("rs-12-4", 4),
        new Member("rs-100-20", 20));
  }

  /** The values were computed from the definition, independently of this field and its code. */
  @Test
  void parityRowsAreTheCauchyMatrixOfHdfs() {
    Matrix generator = new ReedSolomon(new RsSettings(6, 3)).generator();
    assertArrayEquals(new int[] {122, 186, 71, 167, 142, 244}, generator.row(6));
    assertArrayEquals(new int[] {186, 122, 167, 71, 244, 142}, generator.row(7));
    assertArrayEquals(new int[] {173, 157, 221, 152, 61, 170}, generator.row(8));
  }

  @Test
  void theLongestStripesAreMade() {
    assertEquals(255, new ReedSolomon(new RsSettings(254, 1)).n());
    assertEquals(254, new ReedSolomon(new RsSettings(1, 254)).m());
  }

  @Test
  void otherParametersAreRefusedWithTheirNumbers() {
    refused("k = 0, Reed-Solomon needs at least 1 data block", 0, 3);
    refused("m = 0, Reed-Solomon needs at least 1 parity block", 6, 0);
    refused("k + m = 256, Reed-Solomon over GF(2^8) takes at most 255 blocks", 200, 56);
    refused(
        "k + m = 4294967294, Reed-Solomon over GF(2^8) takes at most 255 blocks",
        Integer.MAX_VALUE,
        Integer.MAX_VALUE);
  }

  private static void refused(String message, int k, int m) {
    assertEquals(
        message,
        assertThrows(IllegalArgumentException.class, () -> new RsSettings(k, m)).getMessage());
  }

  @Test
  void equalSettingsAreEqualCodes() {
    ReedSolomon code = new ReedSolomon(new RsSettings(6, 3));
    assertEquals(code, new ReedSolomon(new RsSettings(6, 3)));
    assertEquals(code.hashCode(), new ReedSolomon(new RsSettings(6, 3)).hashCode());
    assertNotEquals(code, new ReedSolomon(new RsSettings(3, 6)));
  }
}
