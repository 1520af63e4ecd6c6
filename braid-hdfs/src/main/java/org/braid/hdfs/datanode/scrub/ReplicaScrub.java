package org.braid.hdfs.datanode.scrub;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.hdfs.server.datanode.CorruptMetaHeaderException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.util.InvalidChecksumSizeException;
import org.braid.engine.block.BlockHash;
import org.braid.hdfs.datanode.scrub.ScrubbedReplica.State;
import org.braid.hdfs.proto.BraidProtos.ScrubResponseProto;
import org.braid.hdfs.proto.BraidProtos.ScrubResponseProto.Finding;
import org.braid.hdfs.time.Ticker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads replicas of this node, one at a time, and compares them with their recorded CRC. */
public final class ReplicaScrub {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaScrub.class);
  private static final Set<Finding> FINE = Set.of(Finding.GOOD, Finding.CHANGED);

  private final Semaphore turn = new Semaphore(1);
  private final BytePace pace;

  public ReplicaScrub(Ticker ticker) {
    pace = new BytePace(ticker);
  }

  /**
   * Reads a replica once.
   *
   * @param crc recorded CRC-32C of its content
   * @param rate maximum bytes a second; 0 for no limit
   * @param buffer the buffer of a read
   * @throws RetriableException when another replica is being read
   * @throws IOException when the state of the replica is unknown
   */
  public ScrubResponseProto look(ScrubbedReplica replica, int crc, long rate, ByteBuffer buffer)
      throws IOException {
    return look(replica, crc, rate, buffer, Optional.empty());
  }

  /**
   * Reads a replica once; the answer for a good replica has its linear hashes.
   *
   * @param hash the empty hash of the replica; no value when none is requested
   */
  public ScrubResponseProto look(
      ScrubbedReplica replica, int crc, long rate, ByteBuffer buffer, Optional<BlockHash> hash)
      throws IOException {
    if (!turn.tryAcquire()) {
      throw new RetriableException("another replica is being read for a scrub");
    }
    try {
      ScrubResponseProto found = read(replica, crc, rate, buffer, hash);
      return found.getFinding() == Finding.GOOD && hash.isPresent()
          ? found.toBuilder().setHashes(ByteString.copyFrom(hash.get().hashes())).build()
          : found;
    } finally {
      turn.release();
    }
  }

  /**
   * Reads a replica again that was bad a moment ago and that the NameNode counts. Reports it to
   * HDFS if it is still bad, so that HDFS neither serves nor counts it.
   */
  public ScrubResponseProto confirm(ScrubbedReplica replica, int crc, long rate, ByteBuffer buffer)
      throws IOException {
    ScrubResponseProto found = look(replica, crc, rate, buffer);
    if (FINE.contains(found.getFinding())) {
      return found;
    }
    LOG.warn("{}: {}: {}", replica.name(), found.getFinding(), found.getDetail());
    if (found.getFinding() == Finding.ABSENT) {
      replica.reportAbsent();
    } else {
      replica.reportBad();
    }
    return found;
  }

  private ScrubResponseProto read(
      ScrubbedReplica replica, int crc, long rate, ByteBuffer buffer, Optional<BlockHash> hash)
      throws IOException {
    State before = replica.state();
    if (before != State.PRESENT) {
      return found(before);
    }
    ScrubResponseProto found;
    try {
      found = opened(replica, crc, rate, buffer, hash);
    } catch (IOException e) {
      State after = replica.state();
      if (after != State.PRESENT) {
        return found(after);
      }
      throw e;
    }
    if (FINE.contains(found.getFinding())) {
      return found;
    }
    // Whoever appends, truncates, moves or deletes changes the files under a reader.
    State after = replica.state();
    return after == State.PRESENT ? found : found(after);
  }

  private static ScrubResponseProto found(State state) {
    return state == State.ABSENT
        ? found(Finding.ABSENT, "the DataNode does not have it")
        : found(Finding.CHANGED, "it has another generation or length");
  }

  private ScrubResponseProto opened(
      ScrubbedReplica replica, int crc, long rate, ByteBuffer buffer, Optional<BlockHash> hash)
      throws IOException {
    ScrubbedReplica.Content opened;
    try {
      opened = replica.open();
    } catch (FileNotFoundException | NoSuchFileException e) {
      if (SystemErrors.HERE.isOfOpenFiles(e)) {
        throw e;
      }
      return found(Finding.MISSING, "no file " + e.getMessage());
    } catch (EOFException e) {
      return found(Finding.TRUNCATED, String.valueOf(e.getMessage()));
    } catch (CorruptMetaHeaderException | InvalidChecksumSizeException e) {
      return found(Finding.CHECKSUM, String.valueOf(e.getMessage()));
    } catch (UnreadableException e) {
      return unreadable(e);
    }
    try (ScrubbedReplica.Content content = opened) {
      return compared(read(content, replica.length(), rate, buffer, hash), crc);
    } catch (ChecksumException e) {
      return found(
          e.getCause() instanceof EOFException ? Finding.TRUNCATED : Finding.CHECKSUM,
          String.valueOf(e.getMessage()));
    } catch (ClosedChannelException | InterruptedIOException e) {
      throw e; // the DataNode stops
    } catch (IOException e) {
      return unreadable(e);
    }
  }

  private static ScrubResponseProto unreadable(IOException e) {
    return found(Finding.UNREADABLE, "the disk does not read it: " + e.getMessage());
  }

  private int read(
      ScrubbedReplica.Content content,
      long length,
      long rate,
      ByteBuffer buffer,
      Optional<BlockHash> hash)
      throws IOException {
    CRC32C sum = new CRC32C();
    long at = 0;
    while (at < length) {
      buffer.clear().limit((int) Math.min(buffer.capacity(), length - at));
      pace.await(buffer.limit(), rate);
      content.read(at, buffer);
      sum.update(buffer.flip());
      buffer.rewind();
      long offset = at;
      hash.ifPresent(some -> some.add(offset, buffer));
      at += buffer.limit();
    }
    return (int) sum.getValue();
  }

  private static ScrubResponseProto compared(int read, int encoded) {
    return read == encoded
        ? found(Finding.GOOD, "")
        : found(
            Finding.CONTENT,
            "it fits HDFS's checksums, but reads as CRC-32C %08x, encoded was %08x"
                .formatted(read, encoded));
  }

  private static ScrubResponseProto found(Finding finding, String detail) {
    return ScrubResponseProto.newBuilder().setFinding(finding).setDetail(detail).build();
  }
}
