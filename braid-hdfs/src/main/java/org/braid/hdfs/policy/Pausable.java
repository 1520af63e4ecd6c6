package org.braid.hdfs.policy;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Work of the daemon that can be paused. */
public enum Pausable {
  /** Conversion by policies. */
  CONVERT,
  /** Restoration by policies. */
  RESTORE,
  /** Repair, except of what readers wait for. */
  REPAIR,
  /** The scrub of all stripes. */
  SCRUB;

  /** The name in commands and in the stored policies. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The work of a name; {@code all} is all work.
   *
   * @throws IllegalArgumentException when there is no such work
   */
  public static List<Pausable> named(String word) {
    List<Pausable> named =
        Stream.of(values()).filter(work -> word.equals("all") || word.equals(work.word())).toList();
    if (named.isEmpty()) {
      throw new IllegalArgumentException(
          "\"%s\" cannot be paused: %s or all".formatted(word, listed(List.of(values()))));
    }
    return named;
  }

  /** Names with the verb that follows: {@code convert is}, {@code convert and repair are}. */
  public static String subject(List<Pausable> works) {
    int last = works.size() - 1;
    return last < 1
        ? listed(works) + " is"
        : "%s and %s are".formatted(listed(works.subList(0, last)), works.get(last).word());
  }

  private static String listed(List<Pausable> works) {
    return works.stream().map(Pausable::word).collect(Collectors.joining(", "));
  }
}
