package org.braid.hdfs.datanode;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSecretManager;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.braid.hdfs.stripe.StripeCodec;
import org.junit.jupiter.api.Test;

/** Attacks on workers with tokens that do not permit to read a block. */
final class TokenAttacksTest extends WorkerAttacks {
  @Test
  void aFragmentWithoutTokenReadsNothing() {
    assertDenied("eve may not read blk_", reading(own, ByteString.EMPTY).build());
  }

  @Test
  void aTokenOfOneBlockReadsNoOther() throws Exception {
    assertDenied("eve may not read blk_" + foreign.getId(), reading(foreign, bytes(token)).build());
  }

  @Test
  void aForgedTokenReadsNothing() throws Exception {
    BlockTokenIdentifier wanted = token.decodeIdentifier();
    BlockTokenIdentifier other =
        new BlockTokenIdentifier(
            wanted.getUserId(),
            wanted.getBlockPoolId(),
            foreign.getId(),
            EnumSet.of(AccessMode.READ),
            new StorageType[] {StorageType.DISK},
            new String[0],
            false);
    other.setKeyId(wanted.getKeyId());
    other.setExpiryDate(Long.MAX_VALUE);
    Token<BlockTokenIdentifier> forged =
        new Token<>(other.getBytes(), token.getPassword(), token.getKind(), new Text());
    assertDenied("eve may not read blk_", reading(foreign, bytes(forged)).build());
  }

  private Token<BlockTokenIdentifier> token(AccessMode mode, long lifetimeMillis)
      throws IOException {
    BlockTokenSecretManager keys =
        fixture.node(0).getBlockPoolTokenSecretManager().get(fixture.replicas(0).blockPool());
    keys.setTokenLifetime(lifetimeMillis);
    try {
      return keys.generateToken(
          "eve",
          fixture.replicas(0).block(StripeCodec.of(own)),
          EnumSet.of(mode),
          new StorageType[] {StorageType.DISK},
          new String[0]);
    } finally {
      keys.setTokenLifetime(TimeUnit.HOURS.toMillis(10));
    }
  }

  @Test
  void anExpiredTokenReadsNothing() throws Exception {
    assertDenied("is expired", reading(own, bytes(token(AccessMode.READ, -60_000))).build());
  }

  @Test
  void aTokenToWriteReadsNothing() throws Exception {
    assertDenied(
        "eve may not read blk_",
        reading(own, bytes(token(AccessMode.WRITE, TimeUnit.HOURS.toMillis(1)))).build());
  }

  @Test
  void aTokenOfGarbageReadsNothing() {
    for (int length : new int[] {1, 7, 200, 100_000}) {
      ByteString garbage = ByteString.copyFrom(WorkerFixture.bytes(new Random(length), length));
      assertDenied("eve may not read blk_", reading(own, garbage).build());
    }
  }

  /** What looks like a token is decoded before its signature can be checked. */
  @Test
  void aTokenOfGarbledIdentityReadsNothing() throws Exception {
    byte[] identity = token.getIdentifier();
    List<byte[]> garbled = new ArrayList<>();
    for (int length = 0; length < identity.length; length++) {
      garbled.add(Arrays.copyOf(identity, length));
    }
    String text = new String(identity, StandardCharsets.ISO_8859_1);
    assertTrue(text.contains("READ"), text);
    garbled.add(text.replace("READ", "REED").getBytes(StandardCharsets.ISO_8859_1));
    // The length of the block pool's name, of 2 GiB: HDFS would make room for it.
    int pool = text.indexOf("BP-") - Integer.BYTES;
    byte[] huge = identity.clone();
    ByteBuffer.wrap(huge).putInt(pool, Integer.MAX_VALUE);
    garbled.add(huge);
    for (byte[] each : garbled) {
      Token<BlockTokenIdentifier> bad =
          new Token<>(each, token.getPassword(), token.getKind(), new Text());
      assertDenied("eve may not read blk_", reading(own, bytes(bad)).build());
    }
  }
}
