package org.braid.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import org.jspecify.annotations.Nullable;

/** Standard output, which knows why it could not be written: writers keep that to themselves. */
final class Output extends FilterOutputStream {
  private @Nullable IOException failure;

  Output(OutputStream out) {
    super(out);
  }

  /** Whether the reader has closed the pipe, for example {@code head}. */
  boolean isUnread() {
    return failure != null && String.valueOf(failure.getMessage()).equals(brokenPipe());
  }

  /** The operating system's message for a closed pipe, in the user's language. */
  private static String brokenPipe() {
    try {
      Pipe pipe = Pipe.open();
      pipe.source().close();
      try (Pipe.SinkChannel sink = pipe.sink()) {
        var unused = sink.write(ByteBuffer.allocate(1));
      }
      return "";
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Override
  public void write(int value) throws IOException {
    try {
      out.write(value);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  @Override
  public void write(byte[] bytes, int from, int count) throws IOException {
    try {
      out.write(bytes, from, count);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  @Override
  public void flush() throws IOException {
    try {
      out.flush();
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private IOException failed(IOException e) {
    failure = e;
    return e;
  }
}
