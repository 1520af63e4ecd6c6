package org.braid.experiment;

import java.util.Map;

/**
 * A figure as a paper gives it.
 *
 * @param system ours that corresponds
 * @param at values of axes
 */
public record PaperFigure(Quantity quantity, String system, Map<String, String> at, double value) {
  public PaperFigure {
    at = Map.copyOf(at);
  }
}
