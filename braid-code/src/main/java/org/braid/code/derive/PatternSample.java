package org.braid.code.derive;

import java.util.Locale;

/**
 * A random sample of loss patterns, none of which was fatal.
 *
 * @param checked its size; patterns are drawn independently and uniformly
 */
public record PatternSample(long checked) {
  /** The confidence level of {@link #share}. */
  public static final double CONFIDENCE = 0.999;

  /**
   * The upper confidence bound of the share of fatal patterns: with a larger share, a sample of
   * this size would contain none with a probability below 1 - CONFIDENCE.
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
