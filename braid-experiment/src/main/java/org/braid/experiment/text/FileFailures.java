package org.braid.experiment.text;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Objects;

/**
 * Describes why a file cannot be read or written: the messages of some of Java's exceptions contain
 * only the file's name.
 */
public final class FileFailures {
  private FileFailures() {}

  /** The reason in the words of the operating system, without the file's name. */
  public static String reason(IOException e) {
    if (!(e instanceof FileSystemException file)) {
      return Objects.requireNonNullElse(e.getMessage(), e.getClass().getSimpleName());
    }
    String reason = file.getReason();
    if (reason != null) {
      return reason;
    }
    if (e instanceof NoSuchFileException) {
      return "No such file or directory";
    }
    if (e instanceof AccessDeniedException) {
      return "Permission denied";
    }
    if (e instanceof FileAlreadyExistsException) {
      return "File exists";
    }
    return e.getClass().getSimpleName();
  }
}
