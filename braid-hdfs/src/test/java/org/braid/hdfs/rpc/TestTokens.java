package org.braid.hdfs.rpc;

import java.util.EnumSet;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;

/** Block tokens as a NameNode signs them, but for the signature. */
public final class TestTokens {
  private TestTokens() {}

  /**
   * The identity of a token that lets eve read and copy a block.
   *
   * @param newer in the newer of the two forms that HDFS writes
   */
  public static byte[] identity(boolean newer) {
    BlockTokenIdentifier identifier =
        new BlockTokenIdentifier(
            "eve",
            "BP-1",
            1_073_741_825L,
            EnumSet.of(AccessMode.READ, AccessMode.COPY),
            new StorageType[] {StorageType.DISK, StorageType.SSD},
            new String[] {"DS-1", "DS-2"},
            newer);
    identifier.setExpiryDate(1_700_000_000_000L);
    identifier.setHandshakeMsg(new byte[] {1, 2, 3});
    return identifier.getBytes();
  }

  /** A token of an identity, as Braid's messages carry it. */
  public static ByteString token(byte[] identity) {
    return BlockTokens.encode(
        new Token<>(identity, new byte[] {4, 5}, new Text("HDFS_BLOCK_TOKEN"), new Text()));
  }
}
