package org.braid.hdfs.namenode.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.LongStream;
import org.apache.hadoop.hdfs.protocol.Block;
import org.junit.jupiter.api.Test;

final class NamespaceTest {
  private int looks;

  private Block[] blocks(long... ids) {
    return LongStream.of(ids)
        .mapToObj(
            id ->
                new Block(id) {
                  @Override
                  public long getBlockId() {
                    looks++;
                    return super.getBlockId();
                  }
                })
        .toArray(Block[]::new);
  }

  /** A stripe is judged under the NameNode's lock, and each of its blocks is looked for. */
  @Test
  void aBlockOfALargeFileIsFoundInAFewLooks() {
    Block[] blocks = blocks(LongStream.range(1000, 101_000).toArray());
    for (long id : new long[] {1000, 1001, 51_000, 100_999}) {
      looks = 0;
      assertTrue(Namespace.has(blocks, new Block(id)));
      assertTrue(looks <= 17, "looks: " + looks);
    }
  }

  @Test
  void blocksOfJoinedFilesAreFound() {
    Block[] blocks = blocks(7, 9, 3, 5, 1);
    for (long id : new long[] {1, 3, 5, 7, 9}) {
      assertTrue(Namespace.has(blocks, new Block(id)));
    }
  }

  @Test
  void otherBlocksAreNotThere() {
    assertFalse(Namespace.has(blocks(1, 3, 5), new Block(4)));
    assertFalse(Namespace.has(blocks(), new Block(4)));
    assertEquals(0, blocks().length);
  }
}
