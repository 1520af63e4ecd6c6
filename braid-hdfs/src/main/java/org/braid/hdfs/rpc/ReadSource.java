package org.braid.hdfs.rpc;

import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.braid.hdfs.stripe.BlockIdentity;

/**
 * The range of a replica that a worker reads for a sub-block; its length is that of the plan's
 * values.
 *
 * @param block the block's identity
 * @param offset offset of the range in the sub-block, in bytes; bytes past the block's end are zero
 * @param token a READ token in the form of {@link BlockTokens}, empty if tokens are off or the
 *     caller is a superuser
 */
public record ReadSource(BlockIdentity block, long offset, ByteString token) {
  public ReadSource {
    if (offset < 0) {
      throw new IllegalArgumentException("a read cannot start at offset " + offset);
    }
  }

  /** A read by a superuser. */
  public ReadSource(BlockIdentity block, long offset) {
    this(block, offset, ByteString.EMPTY);
  }
}
