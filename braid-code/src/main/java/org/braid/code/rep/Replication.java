package org.braid.code.rep;

import java.util.Arrays;
import java.util.List;
import org.braid.code.CodeFamily;
import org.braid.code.Matrix;
import org.braid.code.NamedCode;
import org.braid.code.Promise;
import org.braid.code.Promises;
import org.braid.code.StripeSize;

/** Copies of one block; alpha is 1. */
public final class Replication extends NamedCode {
  /** Codes named {@code rep-R}. */
  public static final CodeFamily FAMILY =
      new CodeFamily(
          "rep",
          "rep-R",
          "Replication, R copies",
          "rep-3",
          "the baseline of all papers",
          p -> StripeSize.of(p[0], 1),
          CodeFamily.parameters(1, p -> new Replication(new RepSettings(p[0]))));

  public Replication(RepSettings settings) {
    super("rep-" + settings.copies(), 1, ones(settings.copies()));
  }

  private static Matrix ones(int rows) {
    int[] ones = new int[rows];
    Arrays.fill(ones, 1);
    return Matrix.of(rows, 1, ones);
  }

  @Override
  public List<Promise> promises() {
    return List.of(Promises.any(n(), m()));
  }
}
