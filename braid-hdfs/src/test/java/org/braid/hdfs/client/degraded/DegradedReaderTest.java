package org.braid.hdfs.client.degraded;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.braid.engine.SliceSource;
import org.braid.hdfs.client.statistics.ReadCounters;
import org.braid.hdfs.dispatch.Worker;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.testing.Seeds;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Degraded reads from blocks in memory. */
final class DegradedReaderTest {
  private static final int FROM = 1234;
  private static final int LENGTH = 5678;

  private final Random random = Seeds.random(DegradedReaderTest.class);

  /** How the stream of a helper ends that has sent wrong bytes without any slice failing. */
  enum End {
    /** The helper gives up after the last slice. */
    ABORT,
    /** The helper names the CRC-32C of other bytes than those that came. */
    MISMATCH
  }

  @ParameterizedTest
  @CsvSource({
    "star, ABORT",
    "star, MISMATCH",
    "chain, ABORT",
    "chain, MISMATCH",
    "ppr, ABORT",
    "ppr, MISMATCH"
  })
  void helperWhoseStreamEndsBadlyIsReplaced(String shape, End end) throws IOException {
    AtomicReference<@Nullable String> culprit = new AtomicReference<>();
    Set<String> senders = ConcurrentHashMap.newKeySet();
    try (MemoryStripe stripe = new MemoryStripe("rs-3-2", random)) {
      DegradedReader reader =
          new DegradedReader(
              stripe,
              stripe.workers,
              (worker, run, stream, length, token) -> {
                String uuid = worker.node().uuid();
                senders.add(uuid);
                culprit.compareAndSet(null, uuid);
                SliceSource source = stripe.receive(worker, run, stream);
                return uuid.equals(culprit.get()) ? endingBadly(source, end, worker) : source;
              },
              settings(shape),
              System::nanoTime);
      ByteBuffer read = ByteBuffer.allocate(LENGTH);
      assertEquals(
          LENGTH, reader.read("/file", stripe.lost(1), FROM, read, new ReadCounters(null)));
      assertArrayEquals(Arrays.copyOfRange(stripe.block(1), FROM, FROM + LENGTH), read.array());
      // Three of the four others determine the block: the one that is left was asked, too.
      assertTrue(senders.size() >= 3, senders + " sent to the reader");
      assertEquals(Set.of("node-0", "node-1", "node-2", "node-3", "node-4"), stripe.named);
    }
  }

  /** What was read by the old stripe means nothing in the new one, whose code is another. */
  @Test
  void aBlockThatComesIntoAnotherStripeIsReadByThatOne() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    AtomicReference<@Nullable String> old = new AtomicReference<>();
    try (MemoryStripe before = new MemoryStripe("rotated-rs-3-2-4", random);
        MemoryStripe after = new MemoryStripe("rs-3-2", random)) {
      StripeLookup lookup =
          new StripeLookup() {
            @Override
            public List<StripeStatus> stripes(String path, String pool, List<Long> ids) {
              return asked.getAndIncrement() == 0
                  ? before.stripes(path, pool, ids)
                  : after.stripes(path, pool, ids);
            }

            @Override
            public Cluster cluster(String pool, Collection<String> uuids) {
              return after.cluster(pool, uuids);
            }
          };
      DegradedReader reader =
          new DegradedReader(
              lookup,
              after.workers,
              (worker, run, stream, length, token) -> {
                old.compareAndSet(null, run);
                SliceSource source = after.receive(worker, run, stream);
                return run.equals(old.get()) ? endingBadly(source, End.ABORT, worker) : source;
              },
              settings("star"),
              System::nanoTime);
      ByteBuffer read = ByteBuffer.allocate(LENGTH);
      assertEquals(LENGTH, reader.read("/file", after.lost(1), FROM, read, new ReadCounters(null)));
      assertArrayEquals(Arrays.copyOfRange(after.block(1), FROM, FROM + LENGTH), read.array());
      assertTrue(asked.get() >= 2, "the stripe was looked up anew");
    }
  }

  /** A long read is rebuilt piece by piece, and its file system may be closed meanwhile. */
  @Test
  void aReadThatOutlivesItsFileSystemFailsAsReadsDo() {
    try (MemoryStripe stripe = new MemoryStripe("rs-3-2", random)) {
      DegradedReader reader =
          new DegradedReader(
              stripe,
              stripe.workers,
              (worker, run, stream, length, token) -> stripe.receive(worker, run, stream),
              settings("star"),
              System::nanoTime);
      reader.close();
      ByteBuffer read = ByteBuffer.allocate(LENGTH);
      assertThrows(
          IOException.class,
          () -> reader.read("/file", stripe.lost(1), FROM, read, new ReadCounters(null)));
    }
  }

  private static DegradedSettings settings(String shape) {
    Configuration conf = new Configuration(false);
    conf.set(DegradedSettings.SHAPE, shape);
    conf.set(DegradedSettings.SLICE, "1000");
    conf.set(DegradedSettings.HEDGES, "0");
    return DegradedSettings.of(conf);
  }

  /** A stream of wrong bytes, each slice of which looks well. */
  private static SliceSource endingBadly(SliceSource source, End end, Worker worker) {
    return new SliceSource() {
      @Override
      public void read(long offset, ByteBuffer into) throws IOException {
        int from = into.position();
        source.read(offset, into);
        into.put(from, (byte) (into.get(from) ^ 1));
      }

      @Override
      public void finish(int crc32c) throws IOException {
        if (end == End.ABORT) {
          throw new IOException(worker.node().host() + " failed after all slices");
        }
        source.finish(crc32c);
      }

      @Override
      public void close() throws IOException {
        source.close();
      }
    };
  }
}
