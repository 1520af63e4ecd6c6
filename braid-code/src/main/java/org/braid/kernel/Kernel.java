package org.braid.kernel;

import java.util.List;
import org.braid.code.Matrix;

/** Applies GF(2^8) matrices to bytes. Thread-safe. */
public interface Kernel {
  /** Its name, for example {@code isal} or {@code scalar}. */
  String name();

  /** Loads what the kernel needs to compute, which may take longer than a read. */
  default void load() {}

  /**
   * Prepares a matrix for repeated use.
   *
   * @param coefficients a row for each output, a column for each input
   */
  Transform transform(Matrix coefficients);

  /**
   * Prepares matrices that run one after the other; later ones may use results of earlier ones.
   *
   * @param buffers number of the caller's buffers; all further places are scratch
   * @param stages the stages in order; a place is written once, and not read before
   * @throws IllegalArgumentException when the stages break these rules
   */
  Pipeline pipeline(int buffers, List<PipelineStage> stages);
}
