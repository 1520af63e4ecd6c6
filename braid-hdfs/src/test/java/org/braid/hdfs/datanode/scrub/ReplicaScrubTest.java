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
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.util.InvalidChecksumSizeException;
import org.braid.hdfs.datanode.scrub.ScrubbedReplica.State;
import org.braid.hdfs.proto.BraidProtos.ScrubResponseProto.Finding;
import org.braid.hdfs.time.FakeTicker;
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
