package org.braid.hdfs.namenode.writes;

import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.jspecify.annotations.Nullable;

/**
 * Finds the last block of a file, for a client that adds a block without naming the previous one.
 */
public final class LastBlock {
  private LastBlock() {}

  /**
   * The last block, if it is complete, apart from an empty block behind it. A client repeats a call
   * whose answer was lost, after the first call has added this empty block. HDFS returns the empty
   * block again if the call names the same previous block, and fails if the call names none.
   *
   * @return null if there is no such block
   */
  public static @Nullable BlockInfo of(BlockInfo[] blocks) {
    int last = blocks.length - 1;
    if (last > 0 && !blocks[last].isComplete() && blocks[last].getNumBytes() == 0) {
      last--;
    }
    return last >= 0 && blocks[last].isComplete() ? blocks[last] : null;
  }
}
