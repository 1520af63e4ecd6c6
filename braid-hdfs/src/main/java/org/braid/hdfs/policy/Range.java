package org.braid.hdfs.policy;

import java.util.Optional;

/**
 * Values from one to another.
 *
 * @param least the smallest one
 * @param below the first one that is too large; {@link Long#MAX_VALUE}: none is
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

  /** Whether there is a first value that is too large. */
  boolean isBounded() {
    return below != Long.MAX_VALUE;
  }

  /**
   * Why a value is not among them.
   *
   * @param words what the value is, with a place for it
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
