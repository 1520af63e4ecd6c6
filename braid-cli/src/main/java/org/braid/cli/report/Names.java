package org.braid.cli.report;

import java.util.Comparator;

/** Orders names and shortens them. */
final class Names {
  /** Natural order: rack2 before rack10. */
  static final Comparator<String> NATURAL =
      Comparator.comparing(Names::stem).thenComparingLong(Names::number).thenComparing(n -> n);

  private Names() {}

  private static String stem(String name) {
    return name.replaceAll("[0-9]+$", "");
  }

  private static long number(String name) {
    String digits = name.substring(stem(name).length());
    return digits.isEmpty() || digits.length() > 18 ? -1 : Long.parseLong(digits);
  }

  /** The last part of a path. */
  static String last(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /**
   * Shortens a name to a number of characters and keeps its end, which has the number of a block.
   */
  static String shorten(String name, int most) {
    return name.length() <= most
        ? name
        : most < 4
            ? name.substring(name.length() - most)
            : ".." + name.substring(name.length() - most + 2);
  }
}
