package org.braid.sim.run;

import org.braid.plan.Operation;

/**
 * Contents of a simulated plan. The engine itself moves sizes only; a payload can compute contents
 * along with it, as it is told every operation in the order of execution.
 */
@FunctionalInterface
public interface Payload {
  /** Sizes only. */
  Payload SIZES = (node, op, offset, count) -> {};

  /** A node ran an operation on the slice of {@code count} bytes at an offset. */
  void ran(int node, Operation op, long offset, int count);
}
