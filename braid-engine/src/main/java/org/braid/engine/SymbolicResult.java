package org.braid.engine;

import java.util.Map;
import org.braid.code.Matrix;
import org.braid.code.SubBlock;

/**
 * What a plan does to coefficient rows.
 *
 * @param rows for each stored sub-block, one row of k*alpha coefficients over the data
 * @param storedAt the node that stores it
 * @param units values (sub-blocks) that move over each link
 */
public record SymbolicResult(
    Map<SubBlock, Matrix> rows, Map<SubBlock, Integer> storedAt, Map<Link, Integer> units) {
  public SymbolicResult {
    rows = Map.copyOf(rows);
    storedAt = Map.copyOf(storedAt);
    units = Map.copyOf(units);
  }
}
