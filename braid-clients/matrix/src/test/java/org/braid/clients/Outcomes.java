package org.braid.clients;

import java.util.Map;
import java.util.TreeMap;

/** Judges what a program said of each way in which it was to read. */
final class Outcomes {
  private static final String RIGHT = "ok";

  private Outcomes() {}

  /** The number of ways in which it has read what is there. */
  static long right(Map<String, String> ways) {
    return ways.values().stream().filter(RIGHT::equals).count();
  }

  /** Whether it says that its Hadoop has no such way. */
  static boolean isAbsent(String outcome) {
    return outcome.startsWith("absent");
  }

  /**
   * The ways in which it has not read what is there, and why. A missing class or method does not
   * tell who needs it: a way may be absent only where it is absent without Braid, too.
   *
   * @param stock what a program with the same Hadoop and without Braid said while nothing was lost;
   *     empty: there is none
   * @param mayFail whether ways may fail or be missing, without wrong bytes
   */
  static Map<String, String> bad(
      Map<String, String> ways, Map<String, String> stock, boolean mayFail) {
    Map<String, String> bad = new TreeMap<>();
    ways.forEach(
        (way, outcome) -> {
          boolean lacking =
              isAbsent(outcome) && (stock.isEmpty() || isAbsent(stock.getOrDefault(way, "")));
          boolean excused = mayFail && !outcome.contains("WRONG BYTES");
          if (!outcome.equals(RIGHT) && !lacking && !excused) {
            bad.put(way, outcome);
          }
        });
    stock.forEach(
        (way, outcome) -> {
          if (outcome.equals(RIGHT) && !mayFail && !ways.containsKey(way)) {
            bad.put(way, "nothing was said of it");
          }
        });
    return bad;
  }
}
