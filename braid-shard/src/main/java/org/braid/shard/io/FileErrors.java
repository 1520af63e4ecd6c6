package org.braid.shard.io;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.braid.shard.report.ShardRefusedException;

/** Exceptions that name the file, what failed and why. */
public final class FileErrors {
  private FileErrors() {}

  /**
   * A failure of a file.
   *
   * @param what what could not be done, for example {@code cannot be read}
   */
  public static FileSystemException failed(Path path, String what, IOException cause) {
    FileSystemException failure =
        new FileSystemException(path.toString(), null, what + ": " + reason(cause));
    failure.initCause(cause);
    return failure;
  }

  /** Some of Java's exceptions say the file's name only. */
  private static String reason(IOException cause) {
    if (!(cause instanceof FileSystemException e)) {
      return String.valueOf(cause.getMessage());
    }
    String reason = e.getReason();
    if (reason != null) {
      return reason;
    }
    return e instanceof AccessDeniedException
        ? "no permission"
        : e instanceof NoSuchFileException
            ? "no such file or directory"
            : e.getClass().getSimpleName();
  }

  /** The refusal to replace a file that exists. */
  public static ShardRefusedException exists(Path target) {
    return new ShardRefusedException(target + " exists; it is replaced with --overwrite only");
  }
}
