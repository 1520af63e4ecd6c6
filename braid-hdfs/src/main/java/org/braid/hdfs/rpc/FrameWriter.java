package org.braid.hdfs.rpc;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * The sending end of a stream's frames. A frame of data is its length (4 bytes, 1 to {@link
 * #MAX_FRAME}), its CRC-32C (4 bytes) and its bytes. The end is {@link #END}, the length of all
 * data (8 bytes) and its CRC-32C; a failure is {@link #ABORT} and the reason in modified UTF-8. All
 * numbers are big-endian.
 */
public final class FrameWriter {
  /** The largest frame, in bytes. */
  public static final int MAX_FRAME = 64 << 10;

  static final int END = 0;
  static final int ABORT = -1;
  private static final int MAX_REASON = 8 << 10;
  private static final int HEADER = 2 * Integer.BYTES;
  private static final int CONTROL_BYTES = 512;

  private final DataOutputStream out;

  /**
   * Header and bytes of a frame; as large as the largest so far, as many streams have small ones.
   */
  private byte[] frame = new byte[0];

  private final CRC32C whole = new CRC32C();
  private final CRC32C part = new CRC32C();
  private long written;
  private boolean broken;

  /** A writer that has written nothing yet. */
  public FrameWriter(OutputStream out) {
    this.out = new DataOutputStream(new BufferedOutputStream(out, CONTROL_BYTES));
  }

  /**
   * Sends the buffer's remaining bytes.
   *
   * @param alter may change the bytes of a frame after its checksums were computed
   */
  public void write(ByteBuffer bytes, Consumer<ByteBuffer> alter) throws IOException {
    broken = true;
    while (bytes.hasRemaining()) {
      int count = Math.min(bytes.remaining(), MAX_FRAME);
      if (frame.length < HEADER + count) {
        frame = new byte[HEADER + count];
      }
      bytes.get(frame, HEADER, count);
      part.reset();
      part.update(frame, HEADER, count);
      whole.update(frame, HEADER, count);
      alter.accept(ByteBuffer.wrap(frame, HEADER, count).slice());
      ByteBuffer.wrap(frame).putInt(count).putInt((int) part.getValue());
      out.write(frame, 0, HEADER + count);
      written += count;
    }
    out.flush();
    broken = false;
  }

  /** Bytes of data sent. */
  public long written() {
    return written;
  }

  /** The CRC-32C of the data sent. */
  public int crc32c() {
    return (int) whole.getValue();
  }

  /** Sends the end of the stream. */
  public void end() throws IOException {
    out.writeInt(END);
    out.writeLong(written);
    out.writeInt(crc32c());
    out.flush();
  }

  /** Sends the reason why the stream ends early; impossible in the middle of a frame. */
  public void abort(String reason) throws IOException {
    if (broken) {
      return;
    }
    out.writeInt(ABORT);
    out.writeUTF(reason.length() <= MAX_REASON ? reason : reason.substring(0, MAX_REASON));
    out.flush();
  }
}
