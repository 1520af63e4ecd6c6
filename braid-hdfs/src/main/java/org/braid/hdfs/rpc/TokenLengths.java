package org.braid.hdfs.rpc;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import org.apache.hadoop.io.WritableUtils;

/**
 * Checks the lengths in a block token's identity before HDFS decodes it. HDFS allocates as many
 * bytes as the older form of an identity names, up to 2 GiB, before it checks whether they exist
 * and whether the token is signed.
 */
final class TokenLengths {
  private final byte[] identity;
  private final DataInputStream in;

  private TokenLengths(byte[] identity) {
    this.identity = identity;
    this.in = new DataInputStream(new ByteArrayInputStream(identity));
  }

  /**
   * Refuses an identity that names more bytes than it has. HDFS checks everything else.
   *
   * @throws IOException when a length is negative or larger than the rest of the identity
   */
  static void check(byte[] identity) throws IOException {
    // HDFS's own rule: its newer form, a protobuf message, never begins with such a byte.
    if (identity.length == 0 || identity[0] > 0) {
      return;
    }
    try {
      new TokenLengths(identity).walk();
    } catch (EOFException e) {
      // Earlier versions of HDFS wrote less at the end, and nothing was made room for.
    }
  }

  private void walk() throws IOException {
    WritableUtils.readVLong(in); // the time at which it ends
    WritableUtils.readVInt(in); // the key that signed it
    string(); // the user
    string(); // the block pool
    WritableUtils.readVLong(in); // the block
    for (int left = length(WritableUtils.readVInt(in)); left > 0; left--) {
      word(); // a way of access
    }
    for (int left = length(WritableUtils.readVInt(in)); left > 0; left--) {
      word(); // a type of storage
    }
    for (int left = length(WritableUtils.readVInt(in)); left > 0; left--) {
      string(); // a storage
    }
    skip(WritableUtils.readVInt(in)); // the secret of a handshake
  }

  /** A text as HDFS's WritableUtils writes it; -1 is the length of none. */
  private void string() throws IOException {
    int length = in.readInt();
    if (length != -1) {
      skip(length);
    }
  }

  /** A text as HDFS's Text writes it. */
  private void word() throws IOException {
    skip(WritableUtils.readVInt(in));
  }

  private void skip(int length) throws IOException {
    in.skipNBytes(length(length));
  }

  private int length(int length) throws IOException {
    int left = in.available();
    if (length < 0 || length > left) {
      throw new IOException(
          "the identity of a block token, %d bytes, speaks of %d where %d are left"
              .formatted(identity.length, length, left));
    }
    return length;
  }
}
