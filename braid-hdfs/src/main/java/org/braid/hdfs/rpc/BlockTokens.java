package org.braid.hdfs.rpc;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.proto.SecurityProtos.TokenProto;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;

/** Encodes HDFS's block tokens for Braid's messages, as the bytes of HDFS's own TokenProto. */
public final class BlockTokens {
  private BlockTokens() {}

  /** The bytes of a token. */
  public static ByteString encode(Token<?> token) {
    return PBHelperClient.convert(token).toByteString();
  }

  /**
   * Decodes a token; an empty token for no bytes.
   *
   * @throws IOException when the bytes are no token, or when its identity contains a length beyond
   *     its own end, which HDFS must not decode
   */
  public static Token<BlockTokenIdentifier> decode(ByteString bytes) throws IOException {
    if (bytes.isEmpty()) {
      return new Token<>();
    }
    try {
      TokenProto token = TokenProto.parseFrom(bytes);
      TokenLengths.check(token.getIdentifier().toByteArray());
      return PBHelperClient.convert(token);
    } catch (InvalidProtocolBufferException e) {
      throw new IOException("a block token of " + bytes.size() + " bytes cannot be parsed", e);
    }
  }
}
