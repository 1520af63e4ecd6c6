package org.braid.hdfs.rpc;

import java.util.regex.Pattern;

/** Text of others as logs and reports take it: whoever wrote it writes no further lines. */
public final class OneLine {
  private static final Pattern BREAKS = Pattern.compile("(?:\\R|\\s|\\p{Cntrl})+");

  private OneLine() {}

  /** The text with a space in place of line breaks and characters that steer a terminal. */
  public static String of(String text) {
    return BREAKS.matcher(text).replaceAll(" ");
  }

  /** The first line of a failure's message; "null" when it has none. */
  public static String first(Throwable failure) {
    return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
  }
}
