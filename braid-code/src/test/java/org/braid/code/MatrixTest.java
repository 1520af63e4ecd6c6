package org.braid.code;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

final class MatrixTest {
  private static Matrix random(Random random, int rows, int columns) {
    return Matrix.of(rows, columns, random.ints((long) rows * columns, 0, 256).toArray());
  }

  @Test
  void inverseExistsExactlyAtFullRankAndIsOneOnBothSides() {
    Random random = Seeds.random(MatrixTest.class);
    int singular = 0;
    for (int run = 0; run < 400; run++) {
      int size = 1 + random.nextInt(8);
      Matrix matrix =
          run % 2 == 0
              ? random(random, size, size)
              // few distinct values make singular matrices common
              : Matrix.of(size, size, random.ints((long) size * size, 0, 2).toArray());
      Optional<Matrix> inverse = matrix.inverse();
      assertEquals(matrix.rank() == size, inverse.isPresent(), matrix::toString);
      singular += inverse.isPresent() ? 0 : 1;
      if (inverse.isPresent()) {
        assertEquals(Matrix.identity(size), matrix.times(inverse.get()));
        assertEquals(Matrix.identity(size), inverse.get().times(matrix));
      }
    }
    assertTrue(singular > 20, "only " + singular + " singular matrices were tried");
  }

  @Test
  void rankOfAProductThroughANarrowPlaceIsItsWidth() {
    Random random = Seeds.random(MatrixTest.class);
    for (int width = 1; width <= 5; width++) {
      int[] rows = IntStream.range(0, width).toArray();
      Matrix left = Matrix.identity(9).select(rows); // width x 9, of full rank
      Matrix tall = Matrix.of(9, width, transposed(left));
      assertEquals(width, left.rank());
      assertEquals(width, tall.rank());
      assertEquals(width, tall.times(left).rank());
      assertTrue(random(random, 9, width).times(random(random, width, 9)).rank() <= width);
    }
    assertEquals(0, Matrix.of(3, 4, new int[12]).rank());
  }

  private static int[] transposed(Matrix matrix) {
    return IntStream.range(0, matrix.rows() * matrix.columns())
        .map(i -> matrix.at(i % matrix.rows(), i / matrix.rows()))
        .toArray();
  }

  @Test
  void aProductByHand() {
    Matrix left = Matrix.of(2, 2, 1, 2, 3, 4);
    Matrix right = Matrix.of(2, 1, 0x80, 5);
    // 2*5 = 10; 3*0x80 = 0x80 ^ 0x1d; 4*5 = 20
    assertEquals(Matrix.of(2, 1, 0x80 ^ 10, 0x80 ^ 0x1d ^ 20), left.times(right));
  }

  @Test
  void rowsAreCopiesAndSelectionKeepsTheOrderNamed() {
    Matrix matrix = Matrix.of(3, 2, 1, 2, 3, 4, 5, 255);
    matrix.row(0)[0] = 9;
    assertArrayEquals(new int[] {1, 2}, matrix.row(0));
    assertEquals(Matrix.of(2, 2, 5, 255, 1, 2), matrix.select(2, 0));
    assertEquals(Matrix.of(2, 1, 255, 2), matrix.select(new int[] {2, 0}, new int[] {1}));
    byte[] bytes = {1, 2, 3, 4, 5, -1};
    assertEquals(matrix, Matrix.ofBytes(3, 2, bytes));
    assertNotEquals(Matrix.of(2, 3, 1, 2, 3, 4, 5, 255), matrix);
    assertEquals(matrix.hashCode(), Matrix.of(3, 2, 1, 2, 3, 4, 5, 255).hashCode());
    assertEquals("2 x 1 [5]; [255]", Matrix.of(2, 1, 5, 255).toString());
  }

  @Test
  void shapesThatDoNotFitAreRefused() {
    refused("a matrix of 2 x 2 has no 3 values", () -> Matrix.of(2, 2, 1, 2, 3));
    refused("a matrix of 2 x 2 has no 3 values", () -> Matrix.ofBytes(2, 2, new byte[3]));
    refused("not a byte: 256", () -> Matrix.of(1, 1, 256));
    refused("2 x 3 times 2 x 3", () -> twoByThree().times(twoByThree()));
    refused("2 x 3 has no inverse", () -> twoByThree().inverse());
  }

  private static Matrix twoByThree() {
    return Matrix.of(2, 3, 1, 2, 3, 4, 5, 6);
  }

  private static void refused(String message, Runnable call) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, call::run).getMessage());
  }
}
