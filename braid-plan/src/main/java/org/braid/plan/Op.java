package org.braid.plan;

import java.util.List;
import org.braid.code.Matrix;
import org.braid.code.SubBlock;

/** What one node does for each slice of a plan, in the order of the plan's steps. */
public sealed interface Op {
  /** Reads a local sub-block into a value. */
  record Read(int value, SubBlock source) implements Op {}

  /** Takes a value off a stream; the stream's number is the value's, unique in the plan. */
  record Receive(int value, int from) implements Op {}

  /** Computes outputs = matrix * inputs; combinations over the same inputs are merged into one. */
  record Combine(List<Integer> outputs, Matrix coefficients, List<Integer> inputs) implements Op {
    public Combine {
      outputs = List.copyOf(outputs);
      inputs = List.copyOf(inputs);
    }
  }

  /** Sends a value; at the receiver it is the value (and stream) {@code stream}. */
  record Send(int value, int stream, int to) implements Op {}

  /** Keeps a value as a sub-block. */
  record Store(int value, SubBlock target) implements Op {}
}
