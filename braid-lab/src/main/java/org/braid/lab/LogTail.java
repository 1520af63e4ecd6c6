package org.braid.lab;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The end of a log, for a message of one line. */
final class LogTail {
  private static final int LINES = 3;
  private static final int CHARACTERS = 600;

  private LogTail() {}

  /** The path of the log and its last informative lines, for the end of a message. */
  static String of(Path log) {
    List<String> lines;
    try {
      lines =
          new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
              .lines()
              // Stack traces are in the file.
              .filter(line -> !line.isBlank() && !line.startsWith("\tat ") && !shuts(line))
              .toList();
    } catch (IOException e) {
      return ", and has no log at " + log;
    }
    String end = String.join(" | ", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
    if (end.length() > CHARACTERS) {
      end = "..." + end.substring(end.length() - CHARACTERS);
    }
    return end.isEmpty() ? ", nothing in its log " + log : "; end of its log " + log + ": " + end;
  }

  private static boolean shuts(String line) {
    return line.startsWith("/***") || line.startsWith("***") || line.startsWith("SHUTDOWN_MSG");
  }
}
