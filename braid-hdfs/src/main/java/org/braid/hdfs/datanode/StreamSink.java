package org.braid.hdfs.datanode;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.braid.engine.SliceSink;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.fault.Faults;
import org.braid.hdfs.proto.BraidProtos.StreamStatusProto;
import org.braid.hdfs.rpc.FrameWriter;
import org.braid.hdfs.rpc.StreamException;
import org.jspecify.annotations.Nullable;

/**
 * The sending end of a stream. It buffers no bytes: a write waits for the receiver to connect and
 * for TCP to accept the bytes, and fails if either wait exceeds the time-out.
 */
final class StreamSink implements SliceSink {
  private final String node;
  private final int stream;
  private final int to;
  private final long length;
  private final int timeoutMillis;
  private @Nullable Socket socket;
  private @Nullable FrameWriter frames;
  private @Nullable String over;
  private boolean ended;

  StreamSink(String node, int stream, int to, long length, int timeoutMillis) {
    this.node = node;
    this.stream = stream;
    this.to = to;
    this.length = length;
    this.timeoutMillis = timeoutMillis;
  }

  /**
   * Connects the receiver.
   *
   * @return the reason why the sink accepts no receiver any more; null when it was still waiting
   *     for one
   */
  synchronized @Nullable String attach(Socket receiver, OutputStream out) throws IOException {
    if (frames != null) {
      return "another receiver took it";
    }
    if (over != null) {
      return over;
    }
    StreamStatusProto.newBuilder().setHost(node).build().writeDelimitedTo(out);
    out.flush();
    socket = receiver;
    frames = new FrameWriter(out);
    notifyAll();
    return null;
  }

  private synchronized FrameWriter receiver() throws IOException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    try {
      while (frames == null) {
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (left <= 0) {
          throw new StreamException(
              describe() + ": nobody came for it within " + timeoutMillis + " ms");
        }
        wait(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(describe() + ": interrupted before anybody came for it");
    }
    return frames;
  }

  @Override
  public void write(ByteBuffer slice) throws IOException {
    String detail = "stream " + stream + " on " + node;
    Faults.reach(FaultStep.WORKER_SEND, detail);
    FrameWriter out = receiver();
    try {
      out.write(slice, bytes -> Faults.alter(FaultStep.WORKER_SEND, detail, bytes));
    } catch (IOException e) {
      throw lost(out, e);
    }
  }

  @Override
  public void finish(int crc32c) throws IOException {
    FrameWriter out = receiver();
    if (out.written() != length || out.crc32c() != crc32c) {
      throw new StreamException(
          describe()
              + ": "
              + out.written()
              + " bytes with CRC-32C "
              + StoringSink.hex(out.crc32c())
              + " were sent, the value has "
              + StoringSink.hex(crc32c));
    }
    try {
      out.end();
    } catch (IOException e) {
      throw lost(out, e);
    }
    ended = true;
  }

  /** The number of the receiving node. */
  int to() {
    return to;
  }

  /** Bytes sent so far. */
  synchronized long written() {
    return frames == null ? 0 : frames.written();
  }

  private StreamException lost(FrameWriter out, IOException e) {
    return new StreamException(
        describe() + ": connection lost after " + out.written() + " bytes: " + e.getMessage(), e);
  }

  private String describe() {
    return "stream " + stream + " of " + length + " bytes from " + node + " to node " + to;
  }

  /**
   * Ends the stream. If the receiver has not received all bytes, tells it the reason. Nothing more
   * is written.
   *
   * @param reason empty if all bytes were sent
   */
  synchronized void end(String reason) {
    over = reason.isEmpty() ? describe() + ": its sender has ended" : reason;
    if (socket == null || frames == null) {
      return;
    }
    try (Socket connection = socket) {
      if (!ended) {
        frames.abort(reason);
      }
      connection.shutdownOutput();
    } catch (IOException e) {
      return; // the receiver is gone, or sees the connection go
    }
  }

  /** Does nothing: only {@link #end} knows the outcome of the run. */
  @Override
  public void close() {}
}
