package org.braid.hdfs.rpc;

import java.util.regex.Pattern;

/** Makes text from untrusted sources safe for logs and reports: its author cannot add lines. */
public final class OneLine {
  private static final Pattern BREAKS = Pattern.compile("(?:\\R|\\s|\\p{Cntrl})+");

  /** Characters that are kept at most of each end of a long text. */
  private static final int END = 1000;

  private OneLine() {}

  /** Replaces line breaks and terminal control characters by spaces. */
  public static String of(String text) {
    return BREAKS.matcher(text).replaceAll(" ");
  }

  /** Removes the middle of a long text, whose length its author controls. */
  public static String brief(String text) {
    int length = text.length();
    return length <= 2 * END
        ? text
        : "%s [%d characters] %s"
            .formatted(text.substring(0, END), length - 2 * END, text.substring(length - END));
  }

  /** The first line of a failure's message; "null" when it has none. */
  public static String first(Throwable failure) {
    return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
  }
}
