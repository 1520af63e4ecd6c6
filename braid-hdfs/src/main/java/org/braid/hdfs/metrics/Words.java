package org.braid.hdfs.metrics;

import java.util.Locale;

/** Names in labels. */
final class Words {
  private Words() {}

  static String of(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
