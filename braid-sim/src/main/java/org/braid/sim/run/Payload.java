package org.braid.sim.run;

import org.braid.plan.Op;

/**
 * What travels with a simulated plan. The engine itself moves sizes; whoever wants to see contents
 * carries them along, operation by operation, in the order in which they happen.
 */
@FunctionalInterface
public interface Payload {
  /** Sizes only. */
  Payload SIZES = (node, op, offset, count) -> {};

  /** A node has run an operation on the slice of {@code count} bytes at an offset. */
  void ran(int node, Op op, long offset, int count);
}
