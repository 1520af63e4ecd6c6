package org.braid.hdfs.datanode.scrub;

import java.io.IOException;

/** The disk cannot read an existing file. */
public final class UnreadableException extends IOException {
  private static final long serialVersionUID = 1L;

  public UnreadableException(IOException cause) {
    super(cause.getMessage(), cause);
  }
}
