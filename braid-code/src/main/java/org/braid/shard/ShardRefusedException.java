package org.braid.shard;

import java.io.IOException;

/** Nothing was written because something would have been written over, or guessed. */
public final class ShardRefusedException extends IOException {
  private static final long serialVersionUID = 1L;

  ShardRefusedException(String message) {
    super(message);
  }
}
