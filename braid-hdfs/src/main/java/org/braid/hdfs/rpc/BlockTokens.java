package org.braid.hdfs.rpc;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;

/** Block tokens as the protocol carries them: the bytes of {@link Token#write}. */
public final class BlockTokens {
  private BlockTokens() {}

  /** The bytes of a token. */
  public static ByteString encode(Token<BlockTokenIdentifier> token) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      token.write(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
    return ByteString.copyFrom(bytes.toByteArray());
  }

  /**
   * The token of some bytes; no bytes are the empty token, for clusters without block tokens.
   *
   * @throws IOException when the bytes are no token
   */
  public static Token<BlockTokenIdentifier> decode(ByteString bytes) throws IOException {
    Token<BlockTokenIdentifier> token = new Token<>();
    if (!bytes.isEmpty()) {
      token.readFields(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    }
    return token;
  }
}
