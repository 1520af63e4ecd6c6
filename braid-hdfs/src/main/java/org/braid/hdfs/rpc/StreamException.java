package org.braid.hdfs.rpc;

import java.io.IOException;
import org.braid.hdfs.failure.Causes;

/** A stream between workers failed; the message names the stream, the sender and the reason. */
public final class StreamException extends IOException {
  private static final long serialVersionUID = 1L;

  public StreamException(String message) {
    super(message);
  }

  public StreamException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Whether a failure was caused by that of a stream. */
  public static boolean isBehind(Throwable failure) {
    return Causes.of(failure).stream().anyMatch(cause -> cause instanceof StreamException);
  }
}
