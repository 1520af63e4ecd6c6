package org.braid.hdfs.rpc;

import java.io.ByteArrayInputStream;
import java.net.Socket;
import org.braid.engine.SliceSource;

/** Streams whose sender is an array of bytes. */
public final class SentStream {
  private SentStream() {}

  /** A stream of so many bytes, of which the sender sends these. */
  public static SliceSource of(byte[] sent, long length) {
    return new StreamSource(new Socket(), new ByteArrayInputStream(sent), "peer", 3, length);
  }
}
