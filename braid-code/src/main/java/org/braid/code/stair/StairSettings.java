package org.braid.code.stair;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The parameters of a {@link Stair} code, by the letters of the paper. The sixth, m', is the length
 * of e.
 *
 * @param n racks, at least 1; n + m' is at most 255
 * @param r blocks in each rack, at least 1; r + max(e) - l is at most 255, n * r at most 1024
 * @param m whole racks that may be lost, 0..n-1
 * @param e the failure coverage vector: blocks that may be lost in each of m' further racks, each
 *     1..r, ascending, none below l; empty when there are no such racks
 * @param l blocks that each rack rebuilds by itself, 0..r-1
 */
public record StairSettings(int n, int r, int m, List<Integer> e, int l) {
  /** The longest row or column of the canonical stripe. */
  public static final int MAX_WIDTH = 255;

  /** The longest stripe; its generator takes a megabyte. */
  public static final int MAX_BLOCKS = 1024;

  private static final Pattern PARAMETERS =
      Pattern.compile("n(#)-r(#)-m(#)-e(#(?:\\.#)*)-l(#)".replace("#", "[0-9]{1,9}"));

  public StairSettings {
    e = List.copyOf(e);
    require(n >= 1, "n >= 1", "n = " + n, "a stripe needs a rack");
    require(r >= 1, "r >= 1", "r = " + r, "a rack needs a block");
    require(m >= 0, "m >= 0", "m = " + m, "it counts racks");
    require(m < n, "m < n", "m = " + m + ", n = " + n, "no rack would hold data");
    require(l >= 0, "l >= 0", "l = " + l, "it counts blocks");
    require(l < r, "l < r", "l = " + l + ", r = " + r, "no rack would hold data");
    checkCoverage(n, r, m, e, l);
    int top = e.isEmpty() ? l : e.get(e.size() - 1);
    require(
        (long) n + e.size() <= MAX_WIDTH,
        "n + m' <= " + MAX_WIDTH,
        "n = " + n + ", m' = " + e.size(),
        "a row of the canonical stripe is a codeword over GF(2^8)");
    require(
        (long) r + top - l <= MAX_WIDTH,
        "r + max(e) - l <= " + MAX_WIDTH,
        "r = " + r + ", max(e) = " + top + ", l = " + l,
        "a column of the canonical stripe is a codeword over GF(2^8)");
    require(
        (long) n * r <= MAX_BLOCKS,
        "n * r <= " + MAX_BLOCKS,
        "n = " + n + ", r = " + r,
        "the generator would become too large");
    int globals = e.stream().mapToInt(i -> i).sum() - l * e.size();
    require(
        (r - l) * (n - m) > globals,
        "(r - l) * (n - m) > sum of (e - l)",
        (r - l) + " * " + (n - m) + " = " + (r - l) * (n - m) + ", the sum is " + globals,
        "no data would be left");
    require(
        m > 0 || l > 0 || !e.isEmpty(), "m + m' + l > 0", "all are 0", "there would be no parity");
  }

  private static void checkCoverage(int n, int r, int m, List<Integer> e, int l) {
    String values = "e = " + text(e);
    require(
        e.size() <= n - m,
        "m' <= n - m",
        values + " has m' = " + e.size() + ", n - m = " + n + " - " + m + " = " + (n - m),
        "too few racks are left for the coverage vector");
    for (int i = 0; i < e.size(); i++) {
      int entry = e.get(i);
      require(entry >= 1, "e_" + i + " >= 1", values, "a rack that loses nothing is not listed");
      require(
          entry <= r,
          "e_" + i + " <= r",
          values + ", r = " + r,
          "a rack cannot lose more blocks than it has");
      require(
          i == 0 || e.get(i - 1) <= entry,
          "e_" + (i - 1) + " <= e_" + i,
          values,
          "the coverage vector is written in ascending order");
    }
    require(
        e.isEmpty() || l <= e.get(0),
        "l <= e_0",
        "l = " + l + ", " + values,
        "a rack rebuilds l blocks by itself, so each entry is at least l");
  }

  private static void require(boolean holds, String inequality, String values, String why) {
    if (!holds) {
      throw new IllegalArgumentException(inequality + " does not hold: " + values + "; " + why);
    }
  }

  /**
   * Reads the part of a STAIR code's name after {@code stair-}.
   *
   * @throws IllegalArgumentException when the parameters are invalid, or l is not 0
   */
  public static StairSettings stair(String parameters) {
    StairSettings settings = parse(parameters);
    require(
        settings.l == 0,
        "l = 0",
        "l = " + settings.l,
        "with parities in every rack it is named " + settings.name());
    return settings;
  }

  /**
   * Reads the part of an R-STAIR code's name after {@code rstair-}.
   *
   * @throws IllegalArgumentException when the parameters are invalid, or l is 0
   */
  public static StairSettings rstair(String parameters) {
    StairSettings settings = parse(parameters);
    require(
        settings.l >= 1,
        "l >= 1",
        "l = 0",
        "without parities in every rack it is named " + settings.name());
    return settings;
  }

  private static StairSettings parse(String parameters) {
    Matcher matcher = PARAMETERS.matcher(parameters);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "it needs n, r, m, e and l in this order, each letter followed by a decimal number of at"
              + " most 9 digits, e by several with dots between");
    }
    List<Integer> e =
        Arrays.stream(matcher.group(4).split("\\.", -1)).map(Integer::valueOf).toList();
    return new StairSettings(
        Integer.parseInt(matcher.group(1)),
        Integer.parseInt(matcher.group(2)),
        Integer.parseInt(matcher.group(3)),
        e.equals(List.of(0)) ? List.of() : e,
        Integer.parseInt(matcher.group(5)));
  }

  private static String text(List<Integer> e) {
    return e.isEmpty() ? "0" : e.stream().map(String::valueOf).collect(Collectors.joining("."));
  }

  /** The code's name. */
  public String name() {
    String family = l == 0 ? "stair" : "rstair";
    return family + "-n" + n + "-r" + r + "-m" + m + "-e" + text(e) + "-l" + l;
  }

  /** Data blocks of a stripe. */
  public int k() {
    return (r - l) * (n - m) - e.stream().mapToInt(i -> i - l).sum();
  }

  /** The virtual rows of the canonical stripe, below the r real ones. */
  int virtualRows() {
    return e.isEmpty() ? 0 : e.get(e.size() - 1) - l;
  }

  /** The virtual columns of the canonical stripe, right of the n real ones: m'. */
  int virtualColumns() {
    return e.size();
  }
}
