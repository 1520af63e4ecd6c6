package org.braid.code.derive;

import java.util.Locale;

/**
 * Random patterns that were tried, none of which failed.
 *
 * @param checked how many, drawn independently, all of the kind equally likely
 */
public record Sample(long checked) {
  /** How sure {@link #share} is. */
  public static final double CONFIDENCE = 0.999;

  /**
   * The share of failing patterns that is not exceeded, with {@link #CONFIDENCE}: were it as large,
   * so many draws would meet none with a probability of only 1 - CONFIDENCE.
   */
  public double share() {
    return checked == 0 ? 1 : -Math.expm1(Math.log1p(-CONFIDENCE) / checked);
  }

  /** For example {@code 0 of 20000 fatal: with 99.9 % confidence less than 0.035 % are}. */
  public String text(String failing) {
    return String.format(
        Locale.ROOT,
        "0 of %d %s: with %.1f %% confidence less than %.2g %% are",
        checked,
        failing,
        100 * CONFIDENCE,
        100 * share());
  }
}
