package org.braid.experiment;

import java.util.Map;

/**
 * A trial that ran, but under conditions other than those it was meant for. It is repeated; when
 * the last attempt is doubtful, too, its figures are kept and marked.
 */
public final class DoubtfulException extends ExperimentException {
  private static final long serialVersionUID = 1;

  @SuppressWarnings("serial") // a map of the JDK
  private final Map<String, Double> figures;

  /**
   * A doubtful trial.
   *
   * @param reason with numbers, for example {@code the processors were 97% busy}
   * @param figures what was measured, as {@link WorkloadSession#run} would have returned it
   */
  public DoubtfulException(String reason, Map<String, Double> figures) {
    super(Cause.TRIAL, reason);
    this.figures = Map.copyOf(figures);
  }

  public Map<String, Double> figures() {
    return figures;
  }
}
