package org.braid.hdfs.client.degraded;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.braid.hdfs.client.degraded.LostBlockReader.Access;
import org.braid.hdfs.client.statistics.ReadCounters;
import org.braid.hdfs.client.statistics.ReadCounters.Counter;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Lost blocks of a file, whose stripe is in memory. */
final class LostBlockReaderTest {
  /** Where the block begins in its file. */
  private static final long START = 30_000;

  /** The file in a snapshot has so much of the block: it was appended to there since. */
  private static final int LENGTH = 1000;

  private final Random random = Seeds.random(LostBlockReaderTest.class);

  @ParameterizedTest
  @EnumSource(Access.class)
  void nothingBehindTheEndOfTheFileIsRebuilt(Access access) throws IOException {
    try (MemoryStripe stripe = new MemoryStripe("rs-3-2", random)) {
      ReadCounters counters = new ReadCounters(null);
      LostBlockReader lost = reader(stripe, counters);
      ByteBuffer into = ByteBuffer.allocate(MemoryStripe.BLOCK);
      assertEquals(LENGTH, lost.read(block(stripe), access, START, into));
      assertEquals(LENGTH, into.position());
      assertArrayEquals(
          Arrays.copyOf(stripe.block(1), LENGTH), Arrays.copyOf(into.array(), LENGTH));
      assertEquals(LENGTH, counters.getIOStatistics().counters().get(Counter.DEGRADED_BYTES.key()));
    }
  }

  @Test
  void aPositionBehindTheEndOfTheFileIsRefused() throws IOException {
    try (MemoryStripe stripe = new MemoryStripe("rs-3-2", random)) {
      LostBlockReader lost = reader(stripe, new ReadCounters(null));
      LocatedBlock block = block(stripe);
      ByteBuffer into = ByteBuffer.allocate(1);
      assertThrows(EOFException.class, () -> lost.read(block, Access.RANDOM, START + LENGTH, into));
    }
  }

  private static LocatedBlock block(MemoryStripe stripe) {
    LocatedBlock block = stripe.lost(1);
    block.setStartOffset(START);
    return block;
  }

  private static LostBlockReader reader(MemoryStripe stripe, ReadCounters counters) {
    Configuration conf = new Configuration(false);
    conf.set(DegradedSettings.HEDGES, "0");
    DegradedReader degraded =
        new DegradedReader(
            stripe,
            stripe.workers,
            (worker, run, stream, bytes, token) -> stripe.receive(worker, run, stream),
            DegradedSettings.of(conf),
            System::nanoTime);
    UnreadableBlocks unreadable = new UnreadableBlocks(60_000, System::nanoTime);
    return new LostBlockReader("/file", () -> START + LENGTH, degraded, unreadable, counters);
  }
}
