package org.braid.code;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** The field's axioms, exhaustively. */
final class Gf256Test {
  /** School multiplication of polynomials, reduced bit by bit. */
  private static int slow(int a, int b) {
    int product = 0;
    for (int bit = 0; bit < 8; bit++) {
      product ^= (b >> bit & 1) * (a << bit);
    }
    for (int bit = 14; bit >= 8; bit--) {
      product ^= (product >> bit & 1) * (0x11d << (bit - 8));
    }
    return product;
  }

  @Test
  void productsAreThoseOfPolynomialsAndCommute() {
    for (int a = 0; a < 256; a++) {
      for (int b = 0; b < 256; b++) {
        assertEquals(slow(a, b), Gf256.multiply(a, b));
        assertEquals(Gf256.multiply(b, a), Gf256.multiply(a, b));
      }
    }
  }

  @Test
  void multiplicationIsAssociativeAndDistributes() {
    for (int a = 0; a < 256; a++) {
      for (int b = 0; b < 256; b++) {
        int ab = Gf256.multiply(a, b);
        for (int c = 0; c < 256; c++) {
          int bc = Gf256.multiply(b, c);
          if (Gf256.multiply(ab, c) != Gf256.multiply(a, bc)
              || Gf256.multiply(a, b ^ c) != (ab ^ Gf256.multiply(a, c))) {
            throw new AssertionError(a + ", " + b + ", " + c);
          }
        }
      }
    }
  }

  @Test
  void neutralElementsInversesAndQuotients() {
    for (int a = 0; a < 256; a++) {
      assertEquals(a, Gf256.multiply(a, 1));
      assertEquals(0, Gf256.multiply(a, 0));
      for (int b = 1; b < 256; b++) {
        assertEquals(1, Gf256.multiply(b, Gf256.inverse(b)));
        assertEquals(a, Gf256.multiply(Gf256.divide(a, b), b));
      }
    }
  }

  @Test
  void zeroDividesNothing() {
    String message = "0 has no inverse in GF(2^8)";
    assertEquals(
        message, assertThrows(ArithmeticException.class, () -> Gf256.inverse(0)).getMessage());
    assertEquals(
        message, assertThrows(ArithmeticException.class, () -> Gf256.divide(7, 0)).getMessage());
  }
}
