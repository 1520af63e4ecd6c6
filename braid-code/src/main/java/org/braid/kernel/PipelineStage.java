package org.braid.kernel;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.braid.code.Matrix;

/**
 * A stage of a {@link Pipeline}: one matrix applied to places.
 *
 * @param coefficients a row for each target, a column for each source
 * @param sources the places read, by column
 * @param targets the places written, by row; none is a source
 */
public record PipelineStage(Matrix coefficients, List<Integer> sources, List<Integer> targets) {
  public PipelineStage {
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
