package org.braid.hdfs.client.degraded;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** A block has come into another stripe, by which what was read so far means nothing. */
final class OtherStripeException extends IOException {
  private static final long serialVersionUID = 1L;

  OtherStripeException(LocatedBlock block, Throwable cause) {
    super(block.getBlock() + " comes into other stripes again and again", cause);
  }
}
