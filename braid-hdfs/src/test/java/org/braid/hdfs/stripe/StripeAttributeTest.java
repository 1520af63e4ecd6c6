package org.braid.hdfs.stripe;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

final class StripeAttributeTest {
  private static final String ID = "0123456789abcdef0123456789abcdef";
  private static final String OTHER = "1123456789abcdef0123456789abcdef";

  private final Random random = Seeds.random(StripeAttributeTest.class);

  /** A stripe of whole blocks as HDFS numbers those that one client writes. */
  private Stripe usual() {
    ErasureCode code = Codes.named("rs-6-3");
    List<Member> members = new ArrayList<>();
    for (int i = 0; i < code.n(); i++) {
      BlockIdentity block = new BlockIdentity((1L << 30) + 70_000 + i, 71_001 + i, 128 << 20);
      String home = new UUID(random.nextLong(), random.nextLong()).toString();
      Member member =
          i < code.k()
              ? Member.data(block, random.nextInt(), home, 3)
              : Member.parity(block, random.nextInt(), home);
      members.add(member.with(new ReplicaChecksum(ReplicaChecksum.CRC32C, 512)));
    }
    return Stripe.encoded(
        ID, code, members, new StripePromise(1, List.of(), Optional.empty()), 1 << 20);
  }

  /** Any stripe at all, also of what no writer makes today. */
  private Stripe any() {
    ErasureCode code =
        StripeCode.named(
            List.of("rs-6-3", "lrc-10-2-2", "rotated-rs-6-3-4", "rs-20-4").get(random.nextInt(4)),
            1 + random.nextInt(3));
    List<Member> members = new ArrayList<>();
    for (int i = 0; i < code.n(); i++) {
      boolean virtual = i < code.k() && random.nextInt(5) == 0;
      members.add(virtual ? Member.VIRTUAL : anyMember());
    }
    StripePromise promise =
        random.nextBoolean()
            ? new StripePromise(1 + random.nextInt(300), List.of("/a", "/b/c"), Optional.empty())
            : new StripePromise(
                2, List.of(), Optional.of(new StripePromise.Sites("even", random.nextInt(9))));
    return Stripe.encoded(ID, code, members, promise, 1 + random.nextInt(1 << 20));
  }

  private Member anyMember() {
    long id = random.nextBoolean() ? random.nextLong() : (1L << 30) + random.nextInt(1 << 20);
    BlockIdentity block =
        new BlockIdentity(
            id, random.nextInt(1 << 20), random.nextLong() >>> (2 + random.nextInt(62)));
    String home =
        switch (random.nextInt(4)) {
          case 0 -> "";
          case 1 -> "node-" + random.nextInt(9);
          case 2 ->
              new UUID(random.nextLong(), random.nextLong()).toString().toUpperCase(Locale.ROOT);
          default -> new UUID(random.nextLong(), random.nextLong()).toString();
        };
    Member member = Member.data(block, random.nextInt(), home, random.nextInt(5));
    return random.nextInt(3) == 0
        ? member
        : member.with(
            new ReplicaChecksum(
                random.nextBoolean() ? ReplicaChecksum.CRC32 : ReplicaChecksum.CRC32C,
                1 << random.nextInt(12)));
  }

  @RepeatedTest(200)
  void whatIsWrittenIsReadInEachVersion() throws Exception {
    Stripe stripe = any();
    byte[] second = StripeAttribute.toBytes(stripe, 2);
    Stripe read = StripeAttribute.of(ID, second);
    assertEquals(stripe, read);
    assertEquals(stripe.code(), read.code());
    assertEquals(2, StripeAttribute.version(second));
    assertArrayEquals(second, StripeAttribute.toBytes(read, 2));
    boolean common = stripe.members().stream().allMatch(m -> m.isVirtual() || m.checksum() != null);
    boolean none = stripe.members().stream().allMatch(m -> m.checksum() == null);
    if (common || none) {
      byte[] first = StripeAttribute.toBytes(read, 1);
      assertEquals(1, StripeAttribute.version(first));
      assertEquals(stripe, StripeAttribute.of(ID, first));
      assertArrayEquals(StripeCodec.toProto(stripe).toByteArray(), first);
    }
  }

  /** Its blocks have to be found when it is forgotten. */
  @RepeatedTest(20)
  void aDescriptionSaysItsBlocksWhateverItsFileIsCalledByNow() throws Exception {
    Stripe stripe = any();
    Stripe read = StripeAttribute.ofRenamed(StripeAttribute.toBytes(stripe, 2));
    assertEquals(stripe.members(), read.members());
    assertEquals(stripe.code(), read.code());
    byte[] first = StripeAttribute.toBytes(usual(), 1);
    assertEquals(StripeAttribute.of(ID, first), StripeAttribute.ofRenamed(first));
  }

  @Test
  void aStripeOfWholeBlocksTakesNoMoreThanItsHomesAndSumsAndSeventyBytes() {
    Stripe stripe = usual();
    int first = StripeAttribute.toBytes(stripe, 1).length;
    int second = StripeAttribute.toBytes(stripe, 2).length;
    assertTrue(second <= 9 * (16 + 4) + 70, second + " bytes");
    assertTrue(first > 2.5 * second, first + " and " + second + " bytes");
  }

  /** A release that knows version 1 alone takes no other for a message. */
  @Test
  void theLaterVersionIsNoMessage() {
    byte[] bytes = StripeAttribute.toBytes(usual(), 2);
    assertThrows(InvalidProtocolBufferException.class, () -> StripeProto.parseFrom(bytes));
  }

  @Test
  void noByteIsMissingOrChangedUnseen() {
    byte[] bytes = StripeAttribute.toBytes(usual(), 2);
    for (int length = 1; length < bytes.length; length++) {
      refused(ID, Arrays.copyOf(bytes, length));
    }
    for (int at = 1; at < bytes.length; at++) {
      byte[] changed = bytes.clone();
      changed[at] ^= (byte) (1 << random.nextInt(8));
      refused(ID, changed);
    }
    refused(ID, Arrays.copyOf(bytes, bytes.length + 1));
  }

  @Test
  void theDescriptionOfAnotherStripeIsRefused() {
    for (int version = 1; version <= StripeAttribute.LATEST; version++) {
      refused(OTHER, StripeAttribute.toBytes(usual(), version));
    }
  }

  private static void refused(String id, byte[] bytes) {
    assertThrows(InvalidProtocolBufferException.class, () -> StripeAttribute.of(id, bytes));
  }

  /** What version 3 has behind the blocks is not known here. */
  @Test
  void theBlocksOfALaterVersionAreKnown() throws Exception {
    Stripe stripe = usual();
    byte[] bytes = StripeAttribute.toBytes(stripe, 2);
    bytes[1] = 3;
    Stripe later = StripeAttribute.of(ID, sealed(ID, bytes));
    assertEquals(stripe.blocks(), later.blocks());
    assertFalse(later.isSupported());
    String reason = assertThrows(UnsupportedStripeException.class, later::code).getMessage();
    assertEquals(
        "stripe "
            + ID
            + ": it is described in version 3, this Braid knows versions up to 2: upgrade Braid",
        reason);
    assertThrows(UnsupportedStripeException.class, () -> StripeAttribute.toBytes(later, 2));
    assertEquals(later, StripeCodec.of(StripeCodec.recorded(later)));
  }

  @Test
  void aMatrixThatIsNotTheOneOfTheNameIsRefused() throws Exception {
    byte[] bytes = StripeAttribute.toBytes(usual(), 2);
    int digest = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("rs-6-3") + 6 + 1;
    bytes[digest] ^= 1;
    Stripe other = StripeAttribute.of(ID, sealed(ID, bytes));
    String reason = assertThrows(UnsupportedStripeException.class, other::code).getMessage();
    assertTrue(reason.contains("another matrix of the name rs-6-3"), reason);
  }

  /** The bytes with the check that belongs to them. */
  private static byte[] sealed(String id, byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(id.getBytes(StandardCharsets.UTF_8));
    crc.update(bytes, 0, bytes.length - 4);
    ByteBuffer sealed = ByteBuffer.wrap(bytes.clone()).order(ByteOrder.LITTLE_ENDIAN);
    return sealed.putInt(bytes.length - 4, (int) crc.getValue()).array();
  }
}
