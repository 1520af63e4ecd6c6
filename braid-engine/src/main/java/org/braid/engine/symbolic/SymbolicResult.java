package org.braid.engine.symbolic;

import java.util.Map;
import org.braid.code.Matrix;
import org.braid.code.SubBlock;
import org.braid.plan.Link;

/**
 * The rows that a plan stores, and its traffic.
 *
 * @param rows for each stored sub-block, one row of k*alpha coefficients over the data
 * @param storedAt the node that stores it
 * @param units values (sub-blocks) sent over each link
 */
public record SymbolicResult(
    Map<SubBlock, Matrix> rows, Map<SubBlock, Integer> storedAt, Map<Link, Integer> units) {
  public SymbolicResult {
    rows = Map.copyOf(rows);
    storedAt = Map.copyOf(storedAt);
    units = Map.copyOf(units);
  }
}
