package org.braid.hdfs.policy;

import java.util.Optional;

/**
 * A range of values.
 *
 * @param least the smallest value
 * @param below the first value above the range; {@link Long#MAX_VALUE} for no limit
 */
record Range(long least, long below) {
  static final Range ALL = new Range(0, Long.MAX_VALUE);

  boolean contains(long value) {
    return value >= least && (value < below || below == Long.MAX_VALUE);
  }

  boolean overlaps(Range other) {
    return Math.max(least, other.least) < Math.min(below, other.below);
  }

  boolean isAll() {
    return equals(ALL);
  }

  /** Whether the range has an upper limit. */
  boolean isBounded() {
    return below != Long.MAX_VALUE;
  }

  /**
   * Why a value is not in the range; empty when it is.
   *
   * @param words a sentence about the value, with a place for it
   */
  Optional<String> against(String words, PolicyQuantity quantity, long value) {
    if (value < least) {
      return Optional.of(
          "%s, at least %s is needed"
              .formatted(words.formatted(quantity.format(value)), quantity.format(least)));
    }
    if (!contains(value)) {
      return Optional.of(
          "%s, less than %s is needed"
              .formatted(words.formatted(quantity.format(value)), quantity.format(below)));
    }
    return Optional.empty();
  }
}
