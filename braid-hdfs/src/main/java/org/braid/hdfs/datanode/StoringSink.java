package org.braid.hdfs.datanode;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.OptionalInt;
import java.util.zip.CRC32C;
import org.braid.engine.SliceSink;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.fault.Faults;

/**
 * Writes a value to a destination and publishes it only if its CRC-32C is right. The CRC of the
 * bytes passed to the destination must equal the CRC computed where they were combined and, for a
 * known block, the recorded CRC.
 */
final class StoringSink implements SliceSink {
  private static final int PIECE = 64 << 10;

  /** The destination of the bytes, which stay invisible until they are published. */
  interface Destination {
    /** Describes the destination in messages. */
    String describe();

    /** Writes the first bytes of an array. */
    void put(byte[] bytes, int count) throws IOException;

    /** Called after each piece of a slice, even if few or no bytes of it were written. */
    default void idle() throws IOException {}

    /** Makes the complete bytes durable and visible. */
    void publish() throws IOException;

    /** Removes all written bytes. */
    void discard() throws IOException;
  }

  private final Destination destination;
  private final String detail;
  private final long content;
  private final long length;
  private final OptionalInt recorded;
  private final byte[] piece = new byte[PIECE];
  private final CRC32C contentCrc = new CRC32C();
  private final CRC32C wholeCrc = new CRC32C();
  private long written;
  private boolean ended;

  /**
   * Creates a sink.
   *
   * @param node the DataNode's name in messages
   * @param content bytes to write; the rest of the value is the zeros behind a short block
   * @param length bytes of the value
   * @param recorded the CRC-32C of the content, if it is known
   */
  StoringSink(Destination destination, String node, long content, long length, OptionalInt recorded)
      throws IOException {
    if (content < 1 || length < content) {
      throw new IOException(
          destination.describe()
              + " of "
              + content
              + " bytes cannot be stored from a value of "
              + length
              + " bytes");
    }
    this.destination = destination;
    this.detail = destination.describe() + " on " + node;
    this.content = content;
    this.length = length;
    this.recorded = recorded;
  }

  @Override
  public void write(ByteBuffer slice) throws IOException {
    Faults.reach(FaultStep.WORKER_STORE, detail);
    if (slice.remaining() > length - written) {
      throw new IOException(
          destination.describe() + ": " + slice.remaining() + " bytes too many after " + written);
    }
    while (slice.hasRemaining()) {
      int count = Math.min(slice.remaining(), PIECE);
      if (written < content) {
        count = (int) Math.min(count, content - written);
      }
      slice.get(piece, 0, count);
      Faults.alter(FaultStep.WORKER_STORE, detail, ByteBuffer.wrap(piece, 0, count).slice());
      wholeCrc.update(piece, 0, count);
      if (written < content) {
        contentCrc.update(piece, 0, count);
        destination.put(piece, count);
      } else {
        requireZeros(count);
      }
      destination.idle();
      written += count;
    }
  }

  private void requireZeros(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      if (piece[i] != 0) {
        throw new IOException(
            destination.describe()
                + ": byte "
                + (written + i)
                + " is not zero although the block ends at "
                + content
                + ": not published");
      }
    }
  }

  @Override
  public void finish(int crc32c) throws IOException {
    if (written != length) {
      throw new IOException(
          destination.describe() + ": " + written + " of " + length + " bytes came: not published");
    }
    int found = (int) contentCrc.getValue();
    if (recorded.isPresent() && found != recorded.getAsInt()) {
      throw new IOException(
          destination.describe()
              + ": CRC-32C is "
              + hex(found)
              + ", recorded is "
              + hex(recorded.getAsInt())
              + ": not published");
    }
    if ((int) wholeCrc.getValue() != crc32c) {
      throw new IOException(
          destination.describe()
              + ": CRC-32C is "
              + hex((int) wholeCrc.getValue())
              + ", was "
              + hex(crc32c)
              + " where it was combined: not published");
    }
    Faults.reach(FaultStep.WORKER_FINISH, detail);
    destination.publish();
    ended = true;
    Faults.reach(FaultStep.WORKER_PUBLISHED, detail);
  }

  static String hex(int crc) {
    return String.format("%08x", crc);
  }

  @Override
  public void close() throws IOException {
    if (ended) {
      return;
    }
    ended = true;
    // A run that is cancelled is interrupted, but what it wrote must still be removed.
    boolean interrupted = Thread.interrupted();
    try {
      destination.discard();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
