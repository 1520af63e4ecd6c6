package org.braid.hdfs.client.readahead;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Options.OpenFileOptions;
import org.apache.hadoop.hdfs.ReadStatistics;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.ipc.CallerContext;
import org.braid.hdfs.client.statistics.ReadCounters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which blocks of a file are read ahead. */
final class ReadAheadTest {
  private static final int BLOCK = 100;
  private static final int BLOCKS = 10_000;
  private static final int AT_ONCE = 3;
  private static final int AFTER = 10;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Set<Long> asked = new TreeSet<>();

  /** In whose name each block was read ahead. */
  private final BlockingQueue<String> contexts = new LinkedBlockingQueue<>();

  /** A file in which each byte is the low one of its position. */
  private final ReadAheadFile file =
      new ReadAheadFile() {
        @Override
        public long length() {
          return (long) BLOCKS * BLOCK;
        }

        @Override
        public LocatedBlock blockAt(long position) {
          long number = position / BLOCK;
          asked.add(number);
          LocatedBlock block =
              new LocatedBlock(new ExtendedBlock("pool", number, BLOCK, 1), new DatanodeInfo[0]);
          block.setStartOffset(number * BLOCK);
          return block;
        }

        @Override
        public SequentialReader open() {
          contexts.add(String.valueOf(CallerContext.getCurrent()));
          return new SequentialReader() {
            @Override
            public int read(long position, ByteBuffer into) {
              into.put((byte) position);
              return 1;
            }

            @Override
            public ReadStatistics statistics() {
              return new ReadStatistics();
            }

            @Override
            public void close() {}
          };
        }

        @Override
        public void disconnect() {}
      };

  private final ReadAhead ahead = readAhead(threads);

  private ReadAhead readAhead(Executor executor) {
    return new ReadAhead(
        file,
        new ReadAhead.Shared(new ReadAheadSettings(AT_ONCE, 1000, 10, AFTER, true), executor),
        new ReadCounters(null));
  }

  @AfterEach
  void stop() {
    ahead.close();
    threads.shutdownNow();
  }

  @Test
  void ofALargeFileTheNextBlocksAreAskedFor() {
    ahead.noteRead(0, AFTER);
    assertTrue(ahead.isOpen());
    assertTrue(asked.size() <= 4 * AT_ONCE, asked.size() + " blocks were asked for");
  }

  @Test
  void ofATaskOnlyItsPartIsAskedFor() {
    Configuration options = new Configuration(false);
    options.setLong(OpenFileOptions.FS_OPTION_OPENFILE_SPLIT_END, 7L * BLOCK);
    ahead.hint(ReadHints.of(options));
    ahead.noteRead(6L * BLOCK, AFTER);
    assertFalse(ahead.isOpen(), "one block is left");
    assertEquals(Set.of(6L), asked);
  }

  /** Else the first of some blocks would always come at the rate of one DataNode. */
  @Test
  void aWindowGoesOn() throws IOException {
    ahead.noteRead(0, AFTER);
    long at = AFTER;
    int own = 0;
    while (at < 40L * BLOCK) {
      ByteBuffer some = ByteBuffer.allocate(BLOCK);
      int read = ahead.read(at, some);
      for (int i = 0; i < read; i++) {
        assertEquals((byte) (at + i), some.get(i));
      }
      if (read == 0) {
        read = 1;
        own++;
        ahead.noteRead(at, read);
      }
      at += read;
    }
    assertTrue(ahead.isOpen());
    assertEquals(0, own, "bytes that were not read ahead");
    assertTrue(asked.size() <= 40 + 4 * AT_ONCE + 1, asked.size() + " blocks were asked for");
  }

  /** Threads are shared by the tasks of many jobs; NameNodes log the contexts of calls. */
  @Test
  void whatIsReadAheadIsAskedForInTheReadersName() throws InterruptedException {
    List<Runnable> tasks = new ArrayList<>();
    CallerContext before = CallerContext.getCurrent();
    try (ReadAhead held = readAhead(tasks::add)) {
      CallerContext.setCurrent(new CallerContext.Builder("reader").build());
      held.noteRead(0, AFTER);
      CallerContext.setCurrent(new CallerContext.Builder("another").build());
      threads.execute(tasks.get(0));
      assertEquals("reader", contexts.take());
    } finally {
      CallerContext.setCurrent(before);
    }
  }

  @Test
  void whoLeavesReadsForItselfUntilItHasReadEnough() throws IOException {
    ahead.noteRead(0, AFTER);
    assertTrue(ahead.isOpen());
    ahead.leave();
    assertEquals(0, ahead.read(AFTER, ByteBuffer.allocate(1)));
    ahead.noteRead(AFTER, AFTER - 1);
    assertFalse(ahead.isOpen(), "the copies that were left are read ahead again");
    ahead.noteRead(2L * AFTER - 1, 1);
    assertTrue(ahead.isOpen());
  }
}
