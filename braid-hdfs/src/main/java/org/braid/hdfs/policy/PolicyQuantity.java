package org.braid.hdfs.policy;

import java.util.LinkedHashMap;
import java.util.Map;

/** Units of sizes, times and counts, the largest first. */
enum PolicyQuantity {
  /** Bytes; units are powers of two. */
  SIZE("a size: write bytes, or a number with k, m, g or t, as in 64m") {
    @Override
    Map<String, Long> units() {
      return ordered("t", 1L << 40, "g", 1L << 30, "m", 1L << 20, "k", 1L << 10, "", 1L);
    }
  },
  /** Milliseconds. */
  TIME("a time: write a number with s, m, h or d, as in 30d") {
    @Override
    Map<String, Long> units() {
      return ordered("d", 86_400_000L, "h", 3_600_000L, "m", 60_000L, "s", 1000L);
    }
  },
  /** Counts. */
  COUNT("a whole number, as in 12") {
    @Override
    Map<String, Long> units() {
      return ordered("", 1L);
    }
  };

  private final String form;

  PolicyQuantity(String form) {
    this.form = form;
  }

  abstract Map<String, Long> units();

  private static Map<String, Long> ordered(Object... pairs) {
    Map<String, Long> units = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      units.put((String) pairs[i], (Long) pairs[i + 1]);
    }
    return units;
  }

  /**
   * Reads a value.
   *
   * @param what for the message
   * @throws IllegalArgumentException when it is none
   */
  long parse(String what, String text) {
    String digits = text.replaceFirst("[a-z]?$", "");
    Long unit = units().get(text.substring(digits.length()));
    if (unit == null || !digits.matches("[0-9]{1,15}")) {
      throw new IllegalArgumentException(what + ": \"" + text + "\" is not " + form);
    }
    try {
      return Math.multiplyExact(Long.parseLong(digits), unit);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(what + ": \"" + text + "\" is too large", e);
    }
  }

  /** Writes a value in its largest unit that divides it; times in whole seconds. */
  String format(long value) {
    for (Map.Entry<String, Long> unit : units().entrySet()) {
      if (value != 0 && value % unit.getValue() == 0) {
        return value / unit.getValue() + unit.getKey();
      }
    }
    return this == TIME ? value / 1000 + "s" : Long.toString(value);
  }
}
