package org.braid.hdfs.rpc;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.zip.Checksum;
import org.braid.engine.SliceSource;
import org.braid.hdfs.proto.BraidProtos.StreamStatusProto;
import org.braid.kernel.Jdk;
import org.jspecify.annotations.Nullable;

/** The receiving end of a stream; checks each frame and the end against their CRC-32C. */
final class StreamSource implements SliceSource {
  private static final int READ_BYTES = 4 << 10;
  private static final int MOST_STATUS = 64 << 10;

  private final Socket socket;
  private final DataInputStream in;
  private final int stream;
  private final long length;
  private final Checksum whole = Jdk.crc32c();
  private final Checksum part = Jdk.crc32c();

  /** As large as the largest frame so far, as many streams have small ones. */
  private byte[] frame = new byte[0];

  private String from;
  private ByteBuffer pending = ByteBuffer.allocate(0);
  private boolean started;
  private long received;
  private long position;

  StreamSource(Socket socket, InputStream in, String from, int stream, long length) {
    this.socket = socket;
    this.in = new DataInputStream(new BufferedInputStream(in, READ_BYTES));
    this.from = from;
    this.stream = stream;
    this.length = length;
  }

  @Override
  public void read(long offset, ByteBuffer into) throws IOException {
    if (offset != position || into.remaining() > length - position) {
      throw new IllegalStateException(
          "stream "
              + stream
              + " of "
              + length
              + " bytes is at "
              + position
              + ", not "
              + into.remaining()
              + " bytes before "
              + offset);
    }
    try {
      start();
      while (into.hasRemaining()) {
        if (!pending.hasRemaining()) {
          pending = nextFrame();
        }
        int count = Math.min(pending.remaining(), into.remaining());
        ByteBuffer piece = pending.duplicate();
        piece.limit(piece.position() + count);
        into.put(piece);
        pending.position(pending.position() + count);
        position += count;
      }
    } catch (IOException e) {
      throw explained(e);
    }
  }

  /** The sender answers only when its part of the plan runs, so the answer is read late. */
  private void start() throws IOException {
    if (started) {
      return;
    }
    StreamStatusProto status = Delimited.read(in, StreamStatusProto.parser(), MOST_STATUS);
    if (status == null) {
      throw new EOFException("the sender closed the connection");
    }
    from = status.getHost();
    if (status.hasError()) {
      throw new StreamException(describe() + ": " + status.getError());
    }
    started = true;
  }

  private ByteBuffer nextFrame() throws IOException {
    int count = in.readInt();
    if (count == FrameWriter.ABORT) {
      throw aborted();
    }
    if (count == FrameWriter.END) {
      throw new StreamException(describe() + " ended after " + received + " bytes");
    }
    if (count < 0 || count > FrameWriter.MAX_FRAME || count > length - received) {
      throw new StreamException(
          describe() + ": a slice of " + count + " bytes cannot follow " + received + " bytes");
    }
    int sent = in.readInt();
    if (frame.length < count) {
      frame = new byte[count];
    }
    in.readFully(frame, 0, count);
    part.reset();
    part.update(frame, 0, count);
    if ((int) part.getValue() != sent) {
      throw new StreamException(
          "slice at offset "
              + received
              + " of "
              + describe()
              + ": CRC mismatch, "
              + hex((int) part.getValue())
              + " came, "
              + hex(sent)
              + " was sent: corrupted on the way");
    }
    whole.update(frame, 0, count);
    received += count;
    return ByteBuffer.wrap(frame, 0, count);
  }

  private StreamException aborted() throws IOException {
    return new StreamException(
        describe() + " failed after " + received + " bytes: " + in.readUTF());
  }

  @Override
  public void finish(int crc32c) throws IOException {
    if (position != length) {
      throw new IllegalStateException(describe() + " is read up to " + position + " only");
    }
    try {
      start();
      int marker = in.readInt();
      if (marker == FrameWriter.ABORT) {
        throw aborted();
      }
      long total = marker == FrameWriter.END ? in.readLong() : -1;
      if (total != length) {
        throw new StreamException(
            describe()
                + " does not end where it should: "
                + (marker == FrameWriter.END ? total + " bytes were sent" : "more bytes follow"));
      }
      int sent = in.readInt();
      int came = (int) whole.getValue();
      if (came != sent || came != crc32c) {
        throw new StreamException(
            describe()
                + ": CRC-32C of all bytes is "
                + hex(came)
                + ", "
                + hex(sent)
                + " was sent and "
                + hex(crc32c)
                + " was used");
      }
    } catch (IOException e) {
      throw explained(e);
    }
  }

  private String describe() {
    return "stream " + stream + " of " + length + " bytes from " + from;
  }

  private IOException explained(IOException e) {
    if (e instanceof StreamException) {
      return e;
    }
    String what =
        e instanceof SocketTimeoutException ? "no bytes came for too long" : "connection lost";
    return new StreamException(
        describe() + ": " + what + " after " + received + " bytes: " + reason(e), e);
  }

  private static @Nullable String reason(IOException e) {
    return e.getMessage() != null ? e.getMessage() : e.getClass().getSimpleName();
  }

  private static String hex(int crc) {
    return String.format("%08x", crc);
  }

  /** Closes the stream. A thread that reads from it, such as that of a cancelled run, stops. */
  @Override
  public void close() throws IOException {
    StreamClient.close(socket);
  }
}
