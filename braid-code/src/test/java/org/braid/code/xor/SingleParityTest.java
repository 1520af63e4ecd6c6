package org.braid.code.xor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.braid.code.ErasureCodeContract;
import org.junit.jupiter.api.Test;

final class SingleParityTest extends ErasureCodeContract {
  @Override
  protected List<Member> members() {
    return List.of(
        new Member("xor-1-1", 1),
        new Member("xor-2-1", 1),
        new Member("xor-9-1", 1),
        new Member("xor-254-1", 1));
  }

  @Test
  void theParityIsThePlainSum() {
    SingleParity code = new SingleParity(new XorSettings(4, 1));
    assertArrayEquals(new int[] {1, 1, 1, 1}, code.generator().row(4));
  }

  @Test
  void otherParametersAreRefusedWithTheirNumbers() {
    refused("k = 0, XOR needs at least 1 data block", 0, 1);
    refused("m = 2, XOR has exactly 1 parity block; rs-K-M has other counts", 4, 2);
    refused("m = 0, XOR has exactly 1 parity block; rs-K-M has other counts", 4, 0);
    refused("k + m = 256, a stripe takes at most 255 blocks", 255, 1);
    refused("k + m = 2147483648, a stripe takes at most 255 blocks", Integer.MAX_VALUE, 1);
  }

  private static void refused(String message, int k, int m) {
    assertEquals(
        message,
        assertThrows(IllegalArgumentException.class, () -> new XorSettings(k, m)).getMessage());
  }

  @Test
  void equalSettingsAreEqualCodes() {
    SingleParity code = new SingleParity(new XorSettings(4, 1));
    assertEquals(code, new SingleParity(new XorSettings(4, 1)));
    assertEquals(code.hashCode(), new SingleParity(new XorSettings(4, 1)).hashCode());
    assertNotEquals(code, new SingleParity(new XorSettings(5, 1)));
  }
}
