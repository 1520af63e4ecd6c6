package org.braid.engine;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.braid.code.SubBlock;

/** Ports of one node that write down what happens to them, and fail where they are told to. */
final class RecordingPorts implements Ports {
  /** Events as {@code what port}, for example {@code finish store 3.0}. */
  final List<String> events = new ArrayList<>();

  /** Bytes written, by port. */
  final Map<String, ByteArrayOutputStream> written = new HashMap<>();

  private final Map<String, byte[]> content = new HashMap<>();
  private final List<String> failures = new ArrayList<>();

  /** What a port gives: {@code read 0.0} or {@code receive 5}. */
  RecordingPorts give(String port, byte[] bytes) {
    content.put(port, bytes);
    return this;
  }

  /** Lets an event fail, for example {@code open store 3.0}. */
  RecordingPorts failAt(String event) {
    failures.add(event);
    return this;
  }

  private void happens(String event) throws IOException {
    events.add(event);
    if (failures.contains(event)) {
      throw new IOException("no " + event);
    }
  }

  private static String name(SubBlock subBlock) {
    return subBlock.block() + "." + subBlock.index();
  }

  @Override
  public SliceSource read(SubBlock source) throws IOException {
    return source("read " + name(source));
  }

  @Override
  public SliceSource receive(int stream, int from) throws IOException {
    return source("receive " + stream);
  }

  @Override
  public SliceSink send(int stream, int to) throws IOException {
    return sink("send " + stream);
  }

  @Override
  public SliceSink store(SubBlock target) throws IOException {
    return sink("store " + name(target));
  }

  private SliceSource source(String port) throws IOException {
    happens("open " + port);
    byte[] bytes = content.getOrDefault(port, new byte[0]);
    return new SliceSource() {
      @Override
      public void read(long offset, ByteBuffer into) throws IOException {
        happens(offset + " " + port);
        int left = Math.max(0, bytes.length - (int) offset);
        into.put(bytes, Math.min((int) offset, bytes.length), Math.min(into.remaining(), left));
      }

      @Override
      public void finish(int crc32c) throws IOException {
        happens("finish " + port);
      }

      @Override
      public void close() throws IOException {
        happens("close " + port);
      }
    };
  }

  private SliceSink sink(String port) throws IOException {
    happens("open " + port);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    written.put(port, out);
    return new SliceSink() {
      @Override
      public void write(ByteBuffer slice) throws IOException {
        happens(out.size() + " " + port);
        byte[] copy = new byte[slice.remaining()];
        slice.get(copy);
        out.writeBytes(copy);
      }

      @Override
      public void finish(int crc32c) throws IOException {
        happens("finish " + port);
      }

      @Override
      public void close() throws IOException {
        happens("close " + port);
      }
    };
  }
}
