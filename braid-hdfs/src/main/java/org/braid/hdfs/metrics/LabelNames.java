package org.braid.hdfs.metrics;

import java.util.Locale;

/** Names in labels. */
final class LabelNames {
  private LabelNames() {}

  static String of(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
