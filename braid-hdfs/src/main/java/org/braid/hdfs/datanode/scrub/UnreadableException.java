package org.braid.hdfs.datanode.scrub;

import java.io.IOException;
import java.nio.file.FileSystemException;

/** The disk does not read a file that is there. */
public final class UnreadableException extends IOException {
  private static final long serialVersionUID = 1L;

  public UnreadableException(IOException cause) {
    super(cause.getMessage(), cause);
  }

  /** What a file that was not opened says: this where its disk failed, and not this process. */
  public static IOException ofOpening(FileSystemException failure) {
    String reason = String.valueOf(failure.getReason());
    return reason.contains("Input/output error") || reason.contains("Structure needs cleaning")
        ? new UnreadableException(failure)
        : failure;
  }
}
