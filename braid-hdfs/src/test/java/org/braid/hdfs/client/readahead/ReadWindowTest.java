package org.braid.hdfs.client.readahead;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.ReadStatistics;
import org.braid.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ReadWindowTest {
  private static final int PIECE = 10;
  private static final int BLOCK = 100;
  private static final int BLOCKS = 8;
  private static final long HOUR = TimeUnit.HOURS.toNanos(1);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final ReadAheadBuffers buffers = new ReadAheadBuffers(PIECE, 1000);
  private final AtomicInteger open = new AtomicInteger();

  /** What each read does first. */
  private volatile Runnable blocked = () -> {};

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  /** Readers of a file in which each byte is the low one of its position. */
  private final ReadWindow.Readers readers =
      new ReadWindow.Readers() {
        @Override
        public SequentialReader open() {
          open.incrementAndGet();
          return new SequentialReader() {
            @Override
            public int read(long position, ByteBuffer into) {
              blocked.run();
              into.put((byte) position);
              return 1;
            }

            @Override
            public ReadStatistics statistics() {
              return new ReadStatistics();
            }

            @Override
            public void close() {
              open.decrementAndGet();
            }
          };
        }

        @Override
        public void done(SequentialReader reader) {
          try {
            reader.close();
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        }
      };

  private ReadWindow window(int blocks, long idleNanos) {
    return window(blocks, idleNanos, true);
  }

  private ReadWindow window(int blocks, long idleNanos, boolean interruptible) {
    List<ReadWindow.Range> ranges =
        IntStream.range(0, blocks)
            .mapToObj(i -> new ReadWindow.Range((long) i * BLOCK, (i + 1L) * BLOCK))
            .toList();
    ReadWindow window =
        new ReadWindow(
            ranges,
            new ReadWindow.WindowBounds(4, 1000, 1000, idleNanos),
            buffers,
            readers,
            interruptible);
    window.start(threads);
    return window;
  }

  private static void read(ReadWindow window, int from, int to) throws IOException {
    int at = from;
    while (at < to) {
      ByteBuffer some = ByteBuffer.allocate(to - at);
      int count = window.read(some);
      assertTrue(count > 0, "at " + at);
      for (int i = 0; i < count; i++) {
        assertEquals((byte) at++, some.get(i));
      }
    }
  }

  @Test
  void whatIsReadAheadIsReadOnce() throws Exception {
    ReadWindow window = window(BLOCKS, HOUR);
    read(window, 0, BLOCKS * BLOCK);
    assertTrue(window.atEnd());
    assertEquals(0, window.read(ByteBuffer.allocate(1)));
    assertFalse(window.isIdle());
    Await.until("no reader is open", () -> open.get() == 0);
    assertEquals(0, buffers.used());
  }

  /** Of a stream that its program forgot, or goes on with much later. */
  @Test
  void whereNobodyReadsThreadsAndMemoryAreGivenBack() {
    // No patience: the first thread that has to wait ends it.
    ReadWindow window = window(BLOCKS, 0);
    Await.until("the window to end", window::isIdle);
    Await.until("no reader is open", () -> open.get() == 0);
    Await.until("no memory is in use", () -> buffers.used() == 0);
  }

  /**
   * That would close the files that short-circuit reads share, also with other file systems.
   *
   * @param interruptible whether it may be all the same
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aReadIsInterruptedOnlyWhereThatHarmsNoOther(boolean interruptible) throws Exception {
    CountDownLatch reading = new CountDownLatch(2);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicInteger interrupts = new AtomicInteger();
    blocked =
        () -> {
          reading.countDown();
          try {
            goOn.await();
          } catch (InterruptedException e) {
            interrupts.incrementAndGet();
          }
        };
    ReadWindow window = window(2, HOUR, interruptible);
    reading.await();
    window.stop();
    threads.shutdown();
    if (!interruptible) {
      assertEquals(2, open.get(), "both go on");
      goOn.countDown();
    }
    Await.until("no reader is open", () -> open.get() == 0);
    assertTrue(threads.awaitTermination(1, TimeUnit.MINUTES));
    assertEquals(interruptible ? 2 : 0, interrupts.get());
    assertEquals(0, buffers.used());
  }

  /** All is fetched, and no thread has to wait for room. */
  @Test
  void theLastBlocksAreGivenBackToo() {
    ReadWindow window = window(2, 0);
    Await.until("the window to end", window::isIdle);
    Await.until("no memory is in use", () -> buffers.used() == 0);
    assertEquals(0, open.get());
  }

  @Test
  void aReaderThatIsSlowKeepsItsWindow() throws Exception {
    ReadWindow window = window(BLOCKS, HOUR);
    read(window, 0, 5);
    Await.until("as much as fits is read ahead", () -> window.waiting() > BLOCK);
    read(window, 5, BLOCKS * BLOCK);
    assertTrue(window.atEnd());
  }
}
