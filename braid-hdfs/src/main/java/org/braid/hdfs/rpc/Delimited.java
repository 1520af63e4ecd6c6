package org.braid.hdfs.rpc;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.apache.hadoop.thirdparty.protobuf.Parser;
import org.jspecify.annotations.Nullable;

/** Reads length-delimited messages from an untrusted stream. */
public final class Delimited {
  private Delimited() {}

  /**
   * Reads a message; returns null when the stream ends before it.
   *
   * @param most maximum bytes of the message; no memory is allocated for a longer one
   */
  public static <T> @Nullable T read(InputStream in, Parser<T> parser, int most)
      throws IOException {
    int first = in.read();
    if (first < 0) {
      return null;
    }
    int length = CodedInputStream.readRawVarint32(first, in);
    if (length < 0 || length > most) {
      throw new StreamException(
          "a message of %d bytes is announced, at most %d are read"
              .formatted(Integer.toUnsignedLong(length), most));
    }
    byte[] bytes = new byte[length];
    new DataInputStream(in).readFully(bytes);
    return parser.parseFrom(bytes);
  }
}
