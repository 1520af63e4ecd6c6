package org.braid.hdfs.api;

import java.io.IOException;

/** A promise could not be kept, so nothing was changed. The message gives the numbers. */
public final class RefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  /** The kind of refusal. */
  private enum Kind {
    PROMISE,
    MISUSE,
    ROUTER
  }

  private final Kind kind;

  public RefusedException(String message) {
    this(message, Kind.PROMISE);
  }

  public RefusedException(String message, Throwable cause) {
    super(message, cause);
    kind = Kind.PROMISE;
  }

  private RefusedException(String message, Kind kind) {
    super(message);
    this.kind = kind;
  }

  /** A refusal of wrong input of the caller, such as a property. */
  public static RefusedException ofMisuse(String message) {
    return new RefusedException(message, Kind.MISUSE);
  }

  /** A refusal of a connection to a router instead of a NameNode. */
  public static RefusedException ofRouter(String message) {
    return new RefusedException(message, Kind.ROUTER);
  }

  /** Whether the input of the caller is wrong. */
  public boolean isMisuse() {
    return kind == Kind.MISUSE;
  }

  /** Whether the connection leads to a router. */
  public boolean isRouter() {
    return kind == Kind.ROUTER;
  }
}
