package org.braid.hdfs.client.degraded;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** The block has moved to another stripe, which invalidates the bytes read so far. */
final class OtherStripeException extends IOException {
  private static final long serialVersionUID = 1L;

  OtherStripeException(LocatedBlock block, Throwable cause) {
    super(block.getBlock() + " comes into other stripes again and again", cause);
  }
}
