package org.braid.engine;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Forwards to another source and reports to a watcher when the reader waits. */
public final class WatchedSource implements SliceSource {
  private final SliceSource source;
  private final Watcher watcher;

  /** Receives the begin and end of each wait, in the reader's thread. */
  public interface Watcher {
    /** The reader starts to wait for a slice or for the end of the stream. */
    void waiting();

    /** The slice, or the end of the stream, has arrived. */
    void arrived();

    /** The wait failed. */
    void failed(IOException cause);
  }

  /**
   * A watched source.
   *
   * @param source provides the bytes; closed with this source
   * @param watcher is called at each read and at the finish
   */
  public WatchedSource(SliceSource source, Watcher watcher) {
    this.source = source;
    this.watcher = watcher;
  }

  @Override
  public void read(long offset, ByteBuffer into) throws IOException {
    watch(() -> source.read(offset, into));
  }

  @Override
  public void finish(int crc32c) throws IOException {
    watch(() -> source.finish(crc32c));
  }

  @Override
  public void close() throws IOException {
    source.close();
  }

  private interface Call {
    void run() throws IOException;
  }

  private void watch(Call call) throws IOException {
    watcher.waiting();
    try {
      call.run();
    } catch (IOException e) {
      watcher.failed(e);
      throw e;
    }
    watcher.arrived();
  }
}
