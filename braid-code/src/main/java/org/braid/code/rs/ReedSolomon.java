package org.braid.code.rs;

import java.util.List;
import org.braid.code.CodeFamily;
import org.braid.code.Gf256;
import org.braid.code.Matrix;
import org.braid.code.NamedCode;
import org.braid.code.Promise;
import org.braid.code.Promises;
import org.braid.code.StripeSize;

/** Systematic Reed-Solomon with ISA-L's Cauchy matrix; alpha is 1. */
public final class ReedSolomon extends NamedCode {
  /** Codes named {@code rs-K-M}. */
  public static final CodeFamily FAMILY =
      new CodeFamily(
          "rs",
          "rs-K-M",
          "Reed-Solomon, K data and M parity blocks, byte-identical with HDFS",
          "rs-6-3",
          "Hadoop's and ISA-L's Reed-Solomon",
          p -> StripeSize.of(p[0] + p[1], 1),
          CodeFamily.parameters(2, p -> new ReedSolomon(new RsSettings(p[0], p[1]))));

  public ReedSolomon(RsSettings settings) {
    super("rs-" + settings.k() + "-" + settings.m(), 1, cauchy(settings.k(), settings.m()));
  }

  private static Matrix cauchy(int k, int m) {
    int[] values = new int[(k + m) * k];
    for (int row = 0; row < k + m; row++) {
      for (int column = 0; column < k; column++) {
        values[row * k + column] = row >= k ? Gf256.inverse(row ^ column) : row == column ? 1 : 0;
      }
    }
    return Matrix.of(k + m, k, values);
  }

  @Override
  public List<Promise> promises() {
    return List.of(Promises.any(n(), m()));
  }
}
