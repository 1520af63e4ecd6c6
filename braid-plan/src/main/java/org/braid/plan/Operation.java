package org.braid.plan;

import java.util.List;
import org.braid.code.Matrix;
import org.braid.code.SubBlock;

/** An operation that a node runs for each slice of a plan's values. */
public sealed interface Operation {
  /** Reads a local sub-block into a value. */
  record Read(int value, SubBlock source) implements Operation {}

  /**
   * Receives a value from a stream. The stream has the number of the value, which is unique in the
   * plan.
   */
  record Receive(int value, int from) implements Operation {}

  /** Computes outputs = coefficients * inputs. */
  record Combine(List<Integer> outputs, Matrix coefficients, List<Integer> inputs)
      implements Operation {
    public Combine {
      outputs = List.copyOf(outputs);
      inputs = List.copyOf(inputs);
    }
  }

  /** Sends a value; the receiver knows it as the value and stream {@code stream}. */
  record Send(int value, int stream, int to) implements Operation {}

  /** Stores a value as a sub-block. */
  record Store(int value, SubBlock target) implements Operation {}
}
