package org.braid.cli.report;

import java.util.Comparator;

/** How names are ordered and made to fit. */
final class Names {
  /** By letters, and by number where a name ends in one: rack2 before rack10. */
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

  /** A name of at most some characters; its end is kept, where blocks are numbered. */
  static String shorten(String name, int most) {
    return name.length() <= most
        ? name
        : most < 4
            ? name.substring(name.length() - most)
            : ".." + name.substring(name.length() - most + 2);
  }
}
