package org.braid.shard.io;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
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
    String reason =
        cause instanceof FileSystemException e && e.getReason() != null
            ? e.getReason()
            : cause instanceof AccessDeniedException
                ? "no permission"
                : String.valueOf(cause.getMessage());
    FileSystemException failure =
        new FileSystemException(path.toString(), null, what + ": " + reason);
    failure.initCause(cause);
    return failure;
  }

  /** The refusal to replace a file that exists. */
  public static ShardRefusedException exists(Path target) {
    return new ShardRefusedException(target + " exists; it is replaced with --overwrite only");
  }
}
