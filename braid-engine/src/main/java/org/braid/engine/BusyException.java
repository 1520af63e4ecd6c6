package org.braid.engine;

import java.io.IOException;

/** The pool has too few free bytes for the buffers of a run; a later attempt may succeed. */
public final class BusyException extends IOException {
  private static final long serialVersionUID = 1L;

  private final long needed;
  private final long available;
  private final long limit;

  BusyException(long needed, long available, long limit) {
    super(
        "buffers of "
            + needed
            + " bytes needed, "
            + available
            + " of "
            + limit
            + " bytes free; try later, use smaller slices or allow more memory");
    this.needed = needed;
    this.available = available;
    this.limit = limit;
  }

  /** Bytes asked for. */
  public long needed() {
    return needed;
  }

  /** Bytes that were free. */
  public long available() {
    return available;
  }

  /** Bytes that the pool may lease at a time. */
  public long limit() {
    return limit;
  }
}
