package org.braid.shard.report;

import java.io.IOException;

/**
 * A request was refused: a file would be replaced, or the set is ambiguous. Nothing was written.
 */
public final class ShardRefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  public ShardRefusedException(String message) {
    super(message);
  }
}
