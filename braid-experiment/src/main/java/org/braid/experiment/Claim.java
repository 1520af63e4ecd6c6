package org.braid.experiment;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A claim about the results of an experiment.
 *
 * @param text as one sentence
 * @param quantity the quantity that it judges
 * @param system the system that it judges
 * @param at a value of each axis, except of the one along which a trend goes
 * @param paper the paper's figure, or the measured one that takes its place; empty when there is
 *     none
 * @param reference the measurement that replaces the paper's figure
 * @param bound the bound that the quantity must meet
 * @param cause the explanation why it does not hold; empty for none
 */
public record Claim(
    String text,
    Quantity quantity,
    String system,
    Map<String, String> at,
    OptionalDouble paper,
    Optional<Reference> reference,
    Bound bound,
    Optional<Cause> cause) {
  public Claim {
    at = Map.copyOf(at);
  }

  /**
   * Why a claim does not hold.
   *
   * @param sentence the explanation
   * @param shownBy the command whose figures show it; empty when results of the experiment do
   */
  public record Cause(String sentence, String shownBy) {}

  /** The condition of a claim. */
  public sealed interface Bound {
    /** As the file has it, for example {@code >= 0.59}. */
    String text();
  }

  /** The figure lies between two others, both included. */
  public record Between(double least, double most, String text) implements Bound {}

  /**
   * The figure that the goal refers to has not been measured.
   *
   * @param reason the missing measurement, and how to get it
   */
  public record Unknown(String text, String reason) implements Bound {}

  /** Which way a series goes. */
  public enum Direction {
    RISES,
    FALLS,
    FLAT
  }

  /**
   * The figure rises, falls or stays along an axis.
   *
   * @param axis in the order of its values
   * @param tolerance how far a step may go the wrong way, or a flat series from its mean, as a
   *     share of the figure
   */
  public record Trend(String axis, Direction direction, double tolerance, String text)
      implements Bound {}
}
