package org.braid.plan;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.stream.IntStream;
import org.braid.code.Equation;
import org.braid.code.SubBlock;
import org.braid.code.Term;
import org.junit.jupiter.api.function.Executable;

/** Equations for tests that look at shapes only. */
public final class TestRepairs {
  private TestRepairs() {}

  /** Block 0 as a sum of blocks 1..k. */
  public static Equation sumOf(int k) {
    return sumOf(0, IntStream.rangeClosed(1, k).toArray());
  }

  /** A block as a sum of others, with coefficients that no other block shares. */
  public static Equation sumOf(int target, int... blocks) {
    List<Term> terms =
        IntStream.of(blocks)
            .mapToObj(b -> new Term(new SubBlock(b, 0), 1 + b + 20 * target))
            .toList();
    return new Equation(new SubBlock(target, 0), terms);
  }

  /** The message with which a call is refused. */
  public static String refusal(Executable call) {
    return String.valueOf(assertThrows(IllegalArgumentException.class, call).getMessage());
  }
}
