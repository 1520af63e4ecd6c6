package org.braid.hdfs.testkit.job;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The jobs there are. */
public enum JobKind {
  /** Lines that contain a pattern. */
  GREP,
  /** How often each word occurs. */
  WORDCOUNT,
  /** Reads all, and shuffles and writes shares of it that were asked for. */
  REPLAY;

  /** Its name for users. */
  public String named() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The job of a name.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static JobKind of(String name) {
    return Arrays.stream(values())
        .filter(kind -> kind.named().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no job \"" + name + "\": there are " + all()));
  }

  private static String all() {
    return Arrays.stream(values()).map(JobKind::named).collect(Collectors.joining(", "));
  }
}
