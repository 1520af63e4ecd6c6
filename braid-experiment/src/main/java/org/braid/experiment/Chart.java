package org.braid.experiment;

import java.util.List;
import java.util.Map;

/**
 * A chart to draw.
 *
 * @param x the horizontal axis; empty: the systems side by side
 * @param systems that it shows, in this order
 * @param at only points with these values of other axes
 */
public record Chart(
    Kind kind,
    String title,
    Quantity quantity,
    String x,
    List<String> systems,
    Map<String, String> at) {
  /** How it is drawn. */
  public enum Kind {
    BARS,
    LINES,
    BOX
  }

  public Chart {
    systems = List.copyOf(systems);
    at = Map.copyOf(at);
  }
}
