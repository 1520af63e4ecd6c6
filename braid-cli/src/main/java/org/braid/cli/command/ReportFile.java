package org.braid.cli.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.braid.experiment.text.FileFailures;

/**
 * The file of a report. It is checked before the work begins, so that a wrong path loses no work.
 *
 * @param path the file
 */
public record ReportFile(Path path) {
  /**
   * Checks a place for a report. A file that is there keeps its content; else one is made and
   * deleted.
   *
   * @throws IOException when nothing can be written there
   */
  public static ReportFile of(Path path) throws IOException {
    ReportFile report = new ReportFile(path);
    try {
      if (!Files.exists(path)) {
        Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND).close();
        Files.delete(path.toRealPath()); // of a link what it names, not the link
      } else if (Files.isDirectory(path)) {
        throw new FileSystemException(path.toString(), null, "Is a directory");
      } else if (!Files.isWritable(path)) {
        throw new AccessDeniedException(path.toString());
      }
    } catch (IOException e) {
      throw report.failure(e);
    }
    return report;
  }

  /**
   * Writes the report.
   *
   * @throws IOException when it cannot be written, with the file's name
   */
  public void write(String text) throws IOException {
    try {
      Files.writeString(path, text, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw failure(e);
    }
  }

  private IOException failure(IOException e) {
    return new IOException(
        "the report cannot be written to %s: %s".formatted(path, FileFailures.reason(e)), e);
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
