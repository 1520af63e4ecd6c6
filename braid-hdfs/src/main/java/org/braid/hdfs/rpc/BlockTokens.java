package org.braid.hdfs.rpc;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.security.proto.SecurityProtos.TokenProto;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;

/** HDFS's block tokens as Braid's messages carry them: the bytes of HDFS's own TokenProto. */
public final class BlockTokens {
  private BlockTokens() {}

  /** The bytes of a token. */
  public static ByteString encode(Token<?> token) {
    return PBHelperClient.convert(token).toByteString();
  }

  /**
   * The token of bytes; an empty token for none.
   *
   * @throws IOException when the bytes are no token, or one whose identity HDFS must not decode
   *     since it speaks of more bytes than it has
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
