package org.braid.kernel;

import java.util.List;
import org.braid.code.Matrix;

/** A way to apply GF(2^8) matrices to bytes. Thread-safe. */
public interface Kernel {
  /** Its name, for example {@code isal} or {@code scalar}. */
  String name();

  /**
   * Prepares a matrix for repeated use.
   *
   * @param coefficients one row an output, one column an input
   */
  Transform transform(Matrix coefficients);

  /**
   * Prepares matrices that work one after the other, later ones on the results of earlier ones.
   *
   * @param buffers how many buffers the caller will give; places from this number on are scratch
   * @param stages in order; a place is made once, and not read before
   * @throws IllegalArgumentException when the stages' places do not follow these rules
   */
  Pipeline pipeline(int buffers, List<Stage> stages);
}
