package org.braid.experiment;

/**
 * A figure that each trial measures.
 *
 * @param name as files and tables write it, for example {@code seconds}
 * @param unit for people, for example {@code s} or {@code MB/s}; empty when it is a plain number
 * @param better which way is better
 */
public record Measure(String name, String unit, Better better) {
  /** Which way is better. */
  public enum Better {
    LESS,
    MORE,
    NEITHER
  }

  /** A measure whose lower values are better, such as a time. */
  public static Measure less(String name, String unit) {
    return new Measure(name, unit, Better.LESS);
  }

  /** A measure whose higher values are better, such as a throughput. */
  public static Measure more(String name, String unit) {
    return new Measure(name, unit, Better.MORE);
  }

  /** A measure without a better direction. */
  public static Measure plain(String name, String unit) {
    return new Measure(name, unit, Better.NEITHER);
  }
}
