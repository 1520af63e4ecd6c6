package org.braid.hdfs.namenode.stripes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class UnfinishedStripesTest {
  /** Each snapshot from before a truncation names all blocks that the file had then. */
  @Test
  void aBlockThatManySnapshotsHaveIsLookedAtOnce() {
    LongStream blocks = LongStream.of(1, 2, 3, 1, 2, 1);
    assertEquals(
        Map.of("a", List.of(1L), "b", List.of(3L)),
        UnfinishedStripes.byHome(
            blocks,
            id -> id == 1 ? Optional.of("a") : id == 3 ? Optional.of("b") : Optional.empty()));
  }
}
