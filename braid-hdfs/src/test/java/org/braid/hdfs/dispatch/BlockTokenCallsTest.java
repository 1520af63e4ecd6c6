package org.braid.hdfs.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.braid.hdfs.rpc.BlockTokens;
import org.junit.jupiter.api.Test;

/** Which token a reader of several block pools shows. */
final class BlockTokenCallsTest {
  private static Token<BlockTokenIdentifier> token(String pool, long block, boolean newer) {
    BlockTokenIdentifier identifier =
        new BlockTokenIdentifier(
            "eve",
            pool,
            block,
            EnumSet.of(AccessMode.READ),
            new StorageType[] {StorageType.DISK},
            new String[] {"DS-1"},
            newer);
    return new Token<>(
        identifier.getBytes(), new byte[] {1}, new Text("HDFS_BLOCK_TOKEN"), new Text());
  }

  private static ByteString bytes(Token<BlockTokenIdentifier> token) {
    return BlockTokens.encode(token);
  }

  private static Token<?> shown(UserGroupInformation caller) {
    assertEquals(1, caller.getTokens().size());
    return caller.getTokens().iterator().next();
  }

  /** DataNodes know the keys of the pools that they serve, and no others. */
  @Test
  void eachPoolIsShownATokenOfItsOwn() throws Exception {
    BlockTokenCalls calls = new BlockTokenCalls(new Configuration(false));
    assertEquals(UserGroupInformation.getCurrentUser(), calls.caller("BP-1"));
    calls.take(bytes(token("BP-1", 7, true)));
    UserGroupInformation first = calls.caller("BP-1");
    calls.take(bytes(token("BP-2", 8, false)));
    assertSame(first, calls.caller("BP-1"));
    assertEquals(token("BP-1", 7, true), shown(first));
    assertEquals(token("BP-2", 8, false), shown(calls.caller("BP-2")));
    // A NameNode of an earlier version does not name the pool of its DataNodes.
    assertEquals(token("BP-2", 8, false), shown(calls.caller("")));
    calls.take(bytes(token("BP-1", 9, true)));
    assertSame(first, calls.caller("BP-1"));
    assertEquals(token("BP-1", 9, true), shown(first));
  }
}
