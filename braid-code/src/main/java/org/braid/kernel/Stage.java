package org.braid.kernel;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.braid.code.Matrix;

/**
 * One matrix at work inside a {@link Pipeline}.
 *
 * @param coefficients one row a target, one column a source
 * @param sources the places it reads, by column
 * @param targets the places it writes, by row; none of them is a source
 */
public record Stage(Matrix coefficients, List<Integer> sources, List<Integer> targets) {
  public Stage {
    sources = List.copyOf(sources);
    targets = List.copyOf(targets);
    if (coefficients.rows() != targets.size() || coefficients.columns() != sources.size()) {
      throw new IllegalArgumentException(
          "a matrix of "
              + coefficients.rows()
              + " x "
              + coefficients.columns()
              + " for "
              + targets.size()
              + " targets and "
              + sources.size()
              + " sources");
    }
    Set<Integer> seen = new HashSet<>(sources);
    for (int target : targets) {
      if (!seen.add(target)) {
        throw new IllegalArgumentException(
            "place " + target + " is written, and read or written again, in one stage");
      }
    }
  }
}
