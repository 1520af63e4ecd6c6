package org.braid.plan;

import java.util.List;
import org.braid.code.SubBlock;

/**
 * A step of a plan. Each step but {@link Store} makes one value, known by the step's id; all values
 * of a plan have the same length. A step may use only values that are at its own node.
 */
public sealed interface Step {
  /** The step's number, unique in its plan. */
  int id();

  /** The node that runs it; for {@link Send} the receiver. */
  int node();

  /** Reads a sub-block that the node stores. */
  record Read(int id, int node, SubBlock source) implements Step {}

  /** Adds values of this node, each multiplied by a coefficient. */
  record Combine(int id, int node, List<Input> inputs) implements Step {
    public Combine {
      inputs = List.copyOf(inputs);
    }
  }

  /** Sends a value to another node, where this step's id is its id. */
  record Send(int id, int from, int node, int value) implements Step {}

  /** Stores a value as a sub-block of the node, or hands it to the reader at the root. */
  record Store(int id, int node, SubBlock target, int value) implements Step {}

  /**
   * An input of {@link Combine}.
   *
   * @param value the id of the step that made it
   * @param coefficient its GF(2^8) factor, 1..255
   */
  record Input(int value, int coefficient) {}
}
