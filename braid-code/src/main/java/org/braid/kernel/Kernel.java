package org.braid.kernel;

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
}
