package org.braid.hdfs.rpc;

import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.braid.hdfs.stripe.BlockIdentity;

/**
 * Where a worker reads a sub-block: a range of it in a replica on its own disks, as long as the
 * values of the plan.
 *
 * @param block the block's identity
 * @param offset where the range starts in the sub-block, in bytes; what lies past the block's end
 *     is zero
 * @param token a READ token in the form of {@link BlockTokens}, empty where tokens are off or the
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
