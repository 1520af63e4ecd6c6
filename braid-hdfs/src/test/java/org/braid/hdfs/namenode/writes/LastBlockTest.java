package org.braid.hdfs.namenode.writes;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoContiguous;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.BlockUCState;
import org.junit.jupiter.api.Test;

final class LastBlockTest {
  private static BlockInfo complete(long id) {
    return new BlockInfoContiguous(new Block(id, 100, 1), (short) 3);
  }

  private static BlockInfo written(long id, long bytes) {
    BlockInfo block = new BlockInfoContiguous(new Block(id, bytes, 1), (short) 3);
    block.convertToBlockUnderConstruction(
        BlockUCState.UNDER_CONSTRUCTION, DatanodeStorageInfo.EMPTY_ARRAY);
    return block;
  }

  /** Else an append fails when the answer to its first call for a block is lost. */
  @Test
  void aRepeatedCallNamesTheSameBlock() {
    BlockInfo last = complete(1);
    assertSame(last, LastBlock.of(new BlockInfo[] {last}));
    assertSame(last, LastBlock.of(new BlockInfo[] {last, written(2, 0)}));
    assertSame(last, LastBlock.of(new BlockInfo[] {complete(7), last, written(2, 0)}));
  }

  @Test
  void whatIsWrittenIsNotNamed() {
    assertNull(LastBlock.of(new BlockInfo[] {}));
    assertNull(LastBlock.of(new BlockInfo[] {written(1, 0)}));
    assertNull(LastBlock.of(new BlockInfo[] {complete(1), written(2, 5)}));
    assertNull(LastBlock.of(new BlockInfo[] {written(1, 100), written(2, 0)}));
  }
}
