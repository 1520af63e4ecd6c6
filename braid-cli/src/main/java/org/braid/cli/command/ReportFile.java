package org.braid.cli.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The file of a report. It is checked before the work begins, so that a wrong path loses no work.
 *
 * @param path the file
 */
public record ReportFile(Path path) {
  /**
   * Checks a place for a report.
   *
   * @throws IOException when nothing can be written there
   */
  public static ReportFile of(Path path) throws IOException {
    Path absolute = path.toAbsolutePath();
    Path parent = absolute.getParent();
    if (Files.isDirectory(absolute) || parent == null || !Files.isWritable(parent)) {
      throw new IOException("the report cannot be written to " + path);
    }
    return new ReportFile(path);
  }

  /** Writes the report. */
  public void write(String text) throws IOException {
    Files.writeString(path, text, StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
