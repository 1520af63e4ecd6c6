package org.braid.kernel;

import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.braid.code.Matrix;

/** The places that the stages of a pipeline read and write. */
final class PipelinePlaces {
  /** The caller's places that are inputs: read and not written before, ascending. */
  final int[] loads;

  /** The caller's places that are written, ascending. */
  final int[] stores;

  /** Number of all places, including scratch. */
  final int places;

  /** Number of the caller's buffers. */
  final int buffers;

  /**
   * The places of stages.
   *
   * @throws IllegalArgumentException when a stage reads scratch that no earlier stage wrote, or
   *     writes a place that an earlier stage read or wrote
   */
  PipelinePlaces(int buffers, List<PipelineStage> stages) {
    BitSet read = new BitSet();
    BitSet made = new BitSet();
    for (PipelineStage stage : stages) {
      for (int source : stage.sources()) {
        if (source >= buffers && !made.get(source)) {
          throw new IllegalArgumentException("scratch place " + source + " is read but not made");
        }
        if (!made.get(source)) {
          read.set(source);
        }
      }
      for (int target : stage.targets()) {
        if (read.get(target) || made.get(target)) {
          throw new IllegalArgumentException(
              "place " + target + " is made after it was read or made");
        }
        made.set(target);
      }
    }
    this.buffers = buffers;
    this.places = Math.max(buffers, made.length());
    this.loads = read.stream().toArray();
    this.stores = made.stream().filter(p -> p < buffers).toArray();
  }

  /** A matrix as one stage: the inputs are the first places, the outputs follow. */
  static PipelineStage of(Matrix coefficients) {
    int inputs = coefficients.columns();
    return new PipelineStage(
        coefficients,
        IntStream.range(0, inputs).boxed().toList(),
        IntStream.range(inputs, inputs + coefficients.rows()).boxed().toList());
  }

  /** Whether a row is the plain sum of sources, for which ISA-L has faster instructions. */
  static boolean isSum(Matrix coefficients, int row) {
    int ones = 0;
    for (int c = 0; c < coefficients.columns(); c++) {
      int coefficient = coefficients.at(row, c);
      if (coefficient > 1) {
        return false;
      }
      ones += coefficient;
    }
    return ones > 1;
  }

  /** The columns with a non-zero coefficient in one of the rows. */
  static int[] columns(Matrix coefficients, int... rows) {
    return IntStream.range(0, coefficients.columns())
        .filter(c -> IntStream.of(rows).anyMatch(r -> coefficients.at(r, c) != 0))
        .toArray();
  }

  /** The elements of a list at some indices. */
  static int[] pick(List<Integer> list, int[] indices) {
    return IntStream.of(indices).map(list::get).toArray();
  }
}
