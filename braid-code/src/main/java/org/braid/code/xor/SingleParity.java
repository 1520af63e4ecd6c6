package org.braid.code.xor;

import java.util.Arrays;
import java.util.List;
import org.braid.code.CodeFamily;
import org.braid.code.Matrix;
import org.braid.code.NamedCode;
import org.braid.code.Promise;
import org.braid.code.Promises;
import org.braid.code.StripeSize;

/** Data blocks and their XOR; alpha is 1. */
public final class SingleParity extends NamedCode {
  /** Codes named {@code xor-K-1}. */
  public static final CodeFamily FAMILY =
      new CodeFamily(
          "xor",
          "xor-K-1",
          "Single parity, the XOR of K data blocks",
          "xor-4-1",
          "Hadoop's XOR",
          p -> StripeSize.of(p[0] + p[1], 1),
          CodeFamily.parameters(2, p -> new SingleParity(new XorSettings(p[0], p[1]))));

  public SingleParity(XorSettings settings) {
    super("xor-" + settings.k() + "-" + settings.m(), 1, sum(settings.k()));
  }

  private static Matrix sum(int k) {
    int[] ones = new int[k];
    Arrays.fill(ones, 1);
    return Matrix.systematic(Matrix.of(1, k, ones));
  }

  @Override
  public List<Promise> promises() {
    return List.of(Promises.any(n(), m()));
  }
}
