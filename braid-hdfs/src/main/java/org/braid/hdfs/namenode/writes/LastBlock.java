package org.braid.hdfs.namenode.writes;

import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.jspecify.annotations.Nullable;

/** The block of a file behind which a client that names none wants another one. */
public final class LastBlock {
  private LastBlock() {}

  /**
   * The last block, where it is complete. A call that is repeated, as its answer was lost, finds
   * behind it the empty block that it has added before: HDFS answers with that one when the same
   * block is named as then, and fails when none is.
   *
   * @return null where there is none
   */
  public static @Nullable BlockInfo of(BlockInfo[] blocks) {
    int last = blocks.length - 1;
    if (last > 0 && !blocks[last].isComplete() && blocks[last].getNumBytes() == 0) {
      last--;
    }
    return last >= 0 && blocks[last].isComplete() ? blocks[last] : null;
  }
}
