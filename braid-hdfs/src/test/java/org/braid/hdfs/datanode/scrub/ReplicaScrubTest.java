package org.braid.hdfs.datanode.scrub;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.util.InvalidChecksumSizeException;
import org.braid.engine.block.BlockHash;
import org.braid.engine.block.CellLayout;
import org.braid.hdfs.datanode.scrub.ScrubbedReplica.State;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.HashRequestProto;
import org.braid.hdfs.proto.BraidProtos.ScrubRequestProto;
import org.braid.hdfs.proto.BraidProtos.ScrubResponseProto.Finding;
import org.braid.hdfs.time.FakeTicker;
import org.braid.kernel.Kernels;
import org.braid.kernel.LinearHash;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ReplicaScrubTest {
  private static final int LENGTH = 10_000;
  private static final int BUFFER = 4096;

  private final FakeTicker ticker = new FakeTicker();
  private final ReplicaScrub scrub = new ReplicaScrub(ticker);
  private final FakeReplica replica = new FakeReplica();
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER);

  /** A replica in memory. */
  private static final class FakeReplica implements ScrubbedReplica {
    private final byte[] bytes = new byte[LENGTH];
    private final List<String> reports = new ArrayList<>();
    private State state = State.PRESENT;
    private Runnable reading = () -> {};
    private @Nullable IOException opening;
    private @Nullable IOException failing;

    FakeReplica() {
      for (int i = 0; i < LENGTH; i++) {
        bytes[i] = (byte) (i * 31);
      }
    }

    int crc() {
      CRC32C crc = new CRC32C();
      crc.update(bytes);
      return (int) crc.getValue();
    }

    @Override
    public String name() {
      return "blk_1 on n0";
    }

    @Override
    public long length() {
      return LENGTH;
    }

    @Override
    public State state() {
      return state;
    }

    @Override
    public Content open() throws IOException {
      if (opening != null) {
        reading.run();
        throw opening;
      }
      return new Content() {
        @Override
        public void read(long offset, ByteBuffer into) throws IOException {
          reading.run();
          if (failing != null) {
            throw failing;
          }
          into.put(bytes, (int) offset, into.remaining());
        }

        @Override
        public void close() {}
      };
    }

    @Override
    public void reportBad() {
      reports.add("bad");
    }

    @Override
    public void reportAbsent() {
      reports.add("absent");
    }
  }

  private Finding look(int crc) throws IOException {
    return scrub.look(replica, crc, 0, buffer).getFinding();
  }

  /** What is found is the same with a report, which HDFS is given only then. */
  private void assertFound(Finding finding, String report) throws IOException {
    int crc = new FakeReplica().crc();
    assertEquals(finding, look(crc));
    assertEquals(List.of(), replica.reports);
    assertEquals(finding, scrub.confirm(replica, crc, 0, buffer).getFinding());
    assertEquals(report.isEmpty() ? List.of() : List.of(report), replica.reports);
  }

  @Test
  void whatWasEncodedIsGood() throws Exception {
    assertFound(Finding.GOOD, "");
  }

  private ScrubRequestProto request(int alpha, int cell, long unit) {
    HashRequestProto hash =
        HashRequestProto.newBuilder()
            .setSeed(9)
            .setAlpha(alpha)
            .setCell(cell)
            .setUnit(unit)
            .build();
    BlockProto block = BlockProto.newBuilder().setId(1).setGeneration(1).setLength(LENGTH).build();
    return ScrubRequestProto.newBuilder()
        .setBlock(block)
        .setCrc32C(replica.crc())
        .setHash(hash)
        .build();
  }

  private ByteString hashes(ScrubRequestProto request) throws IOException {
    Optional<BlockHash> hash = RequestedHash.of(request, Kernels.active());
    return scrub.look(replica, request.getCrc32C(), 0, buffer, hash).getHashes();
  }

  /** A piece of the buffer at a time gives the hashes of the block as a whole. */
  @Test
  void aGoodReplicaHasTheHashesThatAreAskedFor() throws Exception {
    BlockHash whole = new BlockHash(new CellLayout(4, 512, 4096), 9, Kernels.active());
    whole.add(0, ByteBuffer.wrap(replica.bytes));
    assertEquals(ByteString.copyFrom(whole.hashes()), hashes(request(4, 512, 4096)));
    assertEquals(4 * LinearHash.BYTES, hashes(request(4, 512, 4096)).size());
    assertEquals(LinearHash.BYTES, hashes(request(1, LENGTH, LENGTH)).size());
    assertEquals(ByteString.EMPTY, hashes(request(1, 1, LENGTH).toBuilder().clearHash().build()));
    ScrubRequestProto other = request(1, 1, LENGTH).toBuilder().setCrc32C(1).build();
    assertEquals(ByteString.EMPTY, hashes(other), "of what is bad");
  }

  /** The replica is checked alone. */
  @Test
  void whatCannotBeHashedIsNot() throws Exception {
    for (ScrubRequestProto wrong :
        List.of(
            request(0, 1, LENGTH),
            request(1, 0, LENGTH),
            request(1, 1, LENGTH - 1),
            request(257, 512, LENGTH),
            request(-1, 1, LENGTH),
            request(2, 1, -1))) {
      assertEquals(ByteString.EMPTY, hashes(wrong), wrong.toString());
      assertEquals(Finding.GOOD, look(replica.crc()));
    }
  }

  @Test
  void everyFlippedBitIsFound() throws Exception {
    int crc = replica.crc();
    for (int at : new int[] {0, 1, BUFFER - 1, BUFFER, 2 * BUFFER, LENGTH - 1}) {
      replica.bytes[at] ^= 1;
      assertEquals(Finding.CONTENT, look(crc));
      replica.bytes[at] ^= 1;
    }
    replica.bytes[7] ^= 64;
    assertFound(Finding.CONTENT, "bad");
  }

  @Test
  void failuresOfTheDiskHaveNames() throws Exception {
    replica.failing = new ChecksumException("at byte 3", 3);
    assertFound(Finding.CHECKSUM, "bad");
    replica.reports.clear();
    replica.failing.initCause(new EOFException());
    assertFound(Finding.TRUNCATED, "bad");
    replica.reports.clear();
    replica.failing = new IOException("Input/output error");
    assertFound(Finding.UNREADABLE, "bad");
  }

  @Test
  void filesThatAreNotWholeHaveNames() throws Exception {
    replica.opening = new FileNotFoundException("blk_1");
    assertFound(Finding.MISSING, "bad");
    replica.reports.clear();
    replica.opening = new NoSuchFileException("blk_1.meta");
    assertFound(Finding.MISSING, "bad");
    replica.reports.clear();
    replica.opening = new EOFException("too short");
    assertFound(Finding.TRUNCATED, "bad");
    replica.reports.clear();
    replica.opening = new InvalidChecksumSizeException("header");
    assertFound(Finding.CHECKSUM, "bad");
    replica.reports.clear();
    replica.opening = new UnreadableException(new IOException("Input/output error"));
    assertFound(Finding.UNREADABLE, "bad");
  }

  @Test
  void whatTheDataNodeDoesNotHaveIsSaidToBeGone() throws Exception {
    replica.state = State.ABSENT;
    assertFound(Finding.ABSENT, "absent");
  }

  @Test
  void anotherGenerationIsNoFinding() throws Exception {
    replica.state = State.CHANGED;
    replica.failing = new IOException("not asked for");
    assertFound(Finding.CHANGED, "");
  }

  /** Whoever appends, truncates or deletes changes the files under a reader. */
  @Test
  void whatChangesMeanwhileIsNoFinding() throws Exception {
    replica.failing = new ChecksumException("at byte 3", 3);
    replica.reading = () -> replica.state = State.CHANGED;
    assertEquals(Finding.CHANGED, look(replica.crc()));
    replica.state = State.PRESENT;
    replica.failing = null;
    assertEquals(Finding.CHANGED, look(replica.crc() + 1));
    replica.state = State.PRESENT;
    replica.reading = () -> replica.state = State.ABSENT;
    replica.opening = new IOException("no replica");
    assertEquals(Finding.ABSENT, look(replica.crc()));
  }

  /** Nothing is known of the replica: it is neither good nor bad. */
  @Test
  void otherFailuresAreNoFindings() {
    replica.opening = new IOException("too many open files");
    assertThrows(IOException.class, () -> look(0));
    replica.opening = null;
    replica.failing = new ClosedByInterruptException();
    assertThrows(ClosedByInterruptException.class, () -> look(0));
    replica.failing = new InterruptedIOException();
    assertThrows(InterruptedIOException.class, () -> scrub.confirm(replica, 0, 0, buffer));
    assertEquals(List.of(), replica.reports);
  }

  @Test
  void oneReplicaIsReadAtATime() throws Exception {
    List<Throwable> met = new ArrayList<>();
    replica.reading =
        () ->
            met.add(
                assertThrows(
                    RetriableException.class,
                    () -> scrub.look(new FakeReplica(), 0, 0, ByteBuffer.allocate(1))));
    assertEquals(Finding.GOOD, look(replica.crc()));
    assertEquals(3, met.size());
    replica.reading = () -> {};
    assertEquals(Finding.GOOD, look(replica.crc()));
  }

  @Test
  void noMoreThanTheRateIsReadOverManyReplicas() throws Exception {
    long since = ticker.millis();
    for (int i = 0; i < 10; i++) {
      scrub.look(replica, replica.crc(), LENGTH, buffer);
    }
    long took = ticker.millis() - since;
    // The last piece is read at the beginning of its time.
    assertTrue(took >= 9_000 && took <= 10_000, took + " ms");
    ticker.pass(3_600_000);
    since = ticker.millis();
    scrub.look(replica, replica.crc(), LENGTH, buffer);
    assertTrue(ticker.millis() - since >= 800, "what was not read before is not saved up");
    since = ticker.millis();
    ticker.pass(1000);
    scrub.look(replica, replica.crc(), 0, buffer);
    assertEquals(1000, ticker.millis() - since);
  }
}
