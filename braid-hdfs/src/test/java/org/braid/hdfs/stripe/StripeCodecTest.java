package org.braid.hdfs.stripe;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.braid.code.Codes;
import org.braid.code.ErasureCode;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.junit.jupiter.api.Test;

final class StripeCodecTest {
  private static final StripePromise RACKS =
      new StripePromise(2, List.of("/rack0", "/rack1"), Optional.empty());
  private static final StripePromise SITES =
      new StripePromise(3, List.of(), Optional.of(new StripePromise.Sites("even", 4)));

  private static Stripe stripe(ErasureCode code, StripePromise promise) {
    List<Member> members = new ArrayList<>();
    for (int i = 0; i < code.n(); i++) {
      BlockIdentity block = new BlockIdentity(1L << 30 | i, 1000 + i, i < code.k() ? 77 + i : 99);
      members.add(
          i == 1
              ? Member.VIRTUAL
              : i < code.k()
                  ? Member.data(block, -7 * i, "uuid-" + i, 3)
                  : Member.parity(block, i, "uuid-" + i));
    }
    return Stripe.encoded("0123456789abcdef0123456789abcdef", code, members, promise, 4096);
  }

  private static StripeProto.Builder proto(String code) {
    return StripeCodec.toProto(stripe(Codes.named(code), RACKS)).toBuilder();
  }

  private static String reason(StripeProto.Builder changed) {
    Stripe stripe = StripeCodec.of(changed.build());
    assertFalse(stripe.isSupported());
    assertThrows(UnsupportedStripeException.class, () -> StripeCodec.toProto(stripe));
    return assertThrows(UnsupportedStripeException.class, stripe::code).getMessage();
  }

  @Test
  void whatIsWrittenIsRead() throws Exception {
    for (String name : List.of("rs-6-3", "lrc-10-2-2", "rotated-rs-6-3-4")) {
      for (int copies = 1; copies <= 3; copies++) {
        for (StripePromise promise : List.of(RACKS, SITES)) {
          ErasureCode code = StripeCode.named(name, copies);
          Stripe stripe = stripe(code, promise);
          Stripe read = StripeCodec.of(StripeCodec.toProto(stripe));
          assertEquals(stripe, read);
          assertEquals(code, read.code());
          assertEquals(name, read.recordedCode().original());
          assertEquals(copies, read.recordedCode().copies());
          assertEquals(Codes.digest(code), read.recordedCode().digest());
          assertEquals(code.name(), read.recordedCode().name());
          assertEquals(StripeCodec.toProto(stripe), StripeCodec.toProto(read));
        }
      }
    }
  }

  private static Stripe with(Stripe stripe, ReplicaChecksum... checksums) throws Exception {
    StripeProto.Builder proto = StripeCodec.toProto(stripe).toBuilder();
    for (int i = 0; i < proto.getMembersCount(); i++) {
      if (proto.getMembers(i).hasBlock() && checksums[i] != null) {
        proto.getMembersBuilder(i).setChecksum(StripeCodec.toProto(checksums[i]));
      }
    }
    return StripeCodec.of(proto.build());
  }

  @Test
  void checksumsThatAllMembersHaveAreRecordedOnce() throws Exception {
    Stripe plain = stripe(Codes.named("rs-3-2"), RACKS);
    ReplicaChecksum usual = new ReplicaChecksum(ReplicaChecksum.CRC32C, 512);
    ReplicaChecksum other = new ReplicaChecksum(ReplicaChecksum.CRC32, 1024);
    Stripe same = with(plain, usual, null, usual, usual, usual);
    assertEquals(
        5,
        StripeCodec.toProto(same).getSerializedSize()
            - StripeCodec.toProto(plain).getSerializedSize());
    assertEquals(usual, StripeCodec.of(StripeCodec.toProto(same)).member(3).checksum());
    Stripe mixed = with(plain, other, null, usual, usual, usual);
    Stripe read = StripeCodec.of(StripeCodec.toProto(mixed));
    assertEquals(mixed, read);
    assertEquals(other, read.member(0).checksum());
    assertEquals(usual, read.withHomes(Map.of(2, "elsewhere")).member(2).checksum());
    Stripe partly = with(plain, other, null, null, usual, usual);
    Stripe half = StripeCodec.of(StripeCodec.toProto(partly));
    assertEquals(partly, half);
    assertEquals(null, half.member(2).checksum());
  }

  /** The bytes of version 1 as releases wrote them; they never change their meaning. */
  @Test
  void whatWasWrittenInVersionOneIsRead() throws Exception {
    byte[] frozen =
        HexFormat.of()
            .parseHex(
                "0801122030313233343536373839616263646566303132333435363738396162636465661a06"
                    + "72732d322d312240646661323932633037373865343135303139336463353761313739376562"
                    + "333934646139396131656131303666613431323332653235396336396435313936392a1c0a0b"
                    + "08808080800410e807184d15000000001a06757569642d3020032a002a1a0a0b088280808004"
                    + "10ea07186315020000001a06757569642d323002380142062f7261636b3042062f7261636b31");
    Stripe read = StripeAttribute.of("0123456789abcdef0123456789abcdef", frozen);
    assertEquals(stripe(Codes.named("rs-2-1"), RACKS), read);
    assertArrayEquals(frozen, StripeAttribute.toBytes(read, StripeAttribute.FIRST));
  }

  /** Stripes of before say nothing of copies; a release that knows none finds another matrix. */
  @Test
  void aStripeWithoutCopiesIsDescribedAsEver() {
    assertFalse(proto("rs-6-3").hasParityCopies());
    assertNotEquals(
        proto("rs-6-3").getDigest(), StripeCode.of(StripeCode.named("rs-6-3", 2)).digest());
    assertSame(StripeCode.named("rs-6-3", 2), StripeCode.named("rs-6-3", 2));
  }

  @Test
  void aStripeThatCannotBeUsedKeepsItsMembersAndSaysWhy() {
    String id = "stripe 0123456789abcdef0123456789abcdef: ";
    assertEquals(
        id + "it is described in version 3, this Braid knows versions up to 2: upgrade Braid",
        reason(proto("rs-2-1").setVersion(3)));
    assertEquals(
        3,
        StripeCodec.recorded(StripeCodec.of(proto("rs-2-1").setVersion(3).build())).getVersion());
    String matrix = reason(proto("rs-2-1").setDigest("00"));
    assertTrue(
        matrix.startsWith(id + "it was encoded with another matrix of the name rs-2-1"), matrix);
    assertEquals(
        id + "it has 2 members, rs-2-1 has 3 blocks: its description is damaged",
        reason(proto("rs-2-1").removeMembers(0)));
    // The name says 7 to 14; how many they are follows from the code, which is known from then on.
    for (int turn = 0; turn < 2; turn++) {
      assertEquals(
          id + "it has 7 members, rs-4-3, parity x2 has 10 blocks: its description is damaged",
          reason(proto("rs-4-3").setParityCopies(2)));
    }
    // To make this code takes long.
    assertEquals(
        id + "it has 3 members, rotated-rs-7-6-63 has 13 blocks: its description is damaged",
        reason(proto("rs-2-1").setCode("rotated-rs-7-6-63")));
    assertEquals(
        id + "it does not say how its blocks are cut into 4 sub-blocks: its description is damaged",
        reason(proto("rotated-rs-6-3-4").clearCell()));
    String unknown = reason(proto("rs-2-1").setCode("rs-2-one"));
    assertTrue(unknown.contains("rs-2-one"), unknown);
    assertEquals(
        id + "its code is soup-1, which this Braid does not know: upgrade Braid",
        reason(proto("rs-2-1").setCode("soup-1")));
    for (int copies : new int[] {0, 4}) {
      assertEquals(
          id + copies + " copies of each parity, needed are 1 to 3",
          reason(proto("rs-2-1").setParityCopies(copies)));
    }
    String huge =
        reason(
            proto("rs-2-1").setCode("stair-n999999999-r999999999-m1-e1-l0").setParityCopies(1000));
    assertTrue(huge.contains("its description is damaged"), huge);
    Stripe later = StripeCodec.of(proto("rs-2-1").setVersion(3).build());
    assertEquals(List.of(1L << 30, 1L << 30 | 2), later.blockIds());
    assertEquals(
        "rs-200-55 with 2 copies of each parity has 310 blocks a stripe, at most 255 are possible",
        assertThrows(IllegalArgumentException.class, () -> StripeCode.named("rs-200-55", 2))
            .getMessage());
  }

  @Test
  void blocksAreFoundByWhatTheyWere() {
    Stripe stripe = stripe(Codes.named("rs-2-1"), RACKS);
    BlockIdentity first = stripe.member(0).block();
    assertEquals(OptionalInt.of(0), stripe.positionOf(first));
    BlockIdentity appended = new BlockIdentity(first.id(), first.generation() + 1, 100);
    assertEquals(OptionalInt.empty(), stripe.positionOf(appended));
    assertEquals(OptionalInt.of(0), stripe.positionOf(first.id()));
    assertEquals(OptionalInt.empty(), stripe.positionOf(6));
    assertTrue(stripe.isVirtual(1));
    assertEquals(99, stripe.parityBytes());
    assertEquals("uuid-9", stripe.withHomes(Map.of(2, "uuid-9")).member(2).home());
    assertEquals("uuid-2", stripe.member(2).home());
  }
}
