package org.braid.hdfs.stripe;

import java.util.List;
import java.util.Optional;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.ChecksumProto;
import org.braid.hdfs.proto.BraidProtos.MemberProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.jspecify.annotations.Nullable;

/**
 * Converts stripes into messages, and back; {@link StripeAttribute} converts them into the bytes of
 * an attribute.
 */
public final class StripeCodec {
  /**
   * The version of messages of all stripes that this Braid can use, whatever the version of their
   * attributes.
   */
  static final int VERSION = 1;

  private StripeCodec() {}

  /**
   * A stripe as a message.
   *
   * @throws UnsupportedStripeException when this version of Braid does not know all of it
   */
  public static StripeProto toProto(Stripe stripe) {
    stripe.code();
    return recorded(stripe);
  }

  /** Any stripe as a message, without what a later version adds. */
  static StripeProto recorded(Stripe stripe) {
    StripeProto.Builder proto =
        StripeProto.newBuilder()
            .setVersion(stripe.version())
            .setId(stripe.id())
            .setCode(stripe.recordedCode().original())
            .setDigest(stripe.recordedCode().digest())
            .setPerRack(stripe.promise().perRack())
            .addAllTargetRacks(stripe.promise().targetRacks())
            .setVerified(stripe.verified());
    if (stripe.recordedCode().copies() > 1) {
      proto.setParityCopies(stripe.recordedCode().copies());
    }
    if (stripe.cell() > 0) {
      proto.setCell(stripe.cell());
    }
    stripe
        .promise()
        .sites()
        .ifPresent(sites -> proto.setSitePolicy(sites.policy()).setPerSite(sites.perSite()));
    ReplicaChecksum common = common(stripe.members());
    if (common != null) {
      proto.setChecksum(toProto(common));
    }
    for (Member member : stripe.members()) {
      proto.addMembers(toProto(member, common));
    }
    return proto.build();
  }

  /** The checksums to record once; null when those of a member are not known. */
  private static @Nullable ReplicaChecksum common(List<Member> members) {
    ReplicaChecksum last = null;
    for (Member member : members) {
      if (!member.isVirtual()) {
        last = member.checksum();
        if (last == null) {
          return null;
        }
      }
    }
    return last;
  }

  private static MemberProto toProto(Member member, @Nullable ReplicaChecksum common) {
    if (member.isVirtual()) {
      return MemberProto.getDefaultInstance();
    }
    MemberProto.Builder proto =
        MemberProto.newBuilder().setBlock(toProto(member.block())).setCrc32C(member.crc());
    if (!member.home().isEmpty()) {
      proto.setHome(member.home());
    }
    if (member.replication() > 0) {
      proto.setReplication(member.replication());
    }
    ReplicaChecksum checksum = member.checksum();
    if (checksum != null && !checksum.equals(common)) {
      proto.setChecksum(toProto(checksum));
    }
    return proto.build();
  }

  /** The stripe of a message; unsupported if it is of a later version. */
  public static Stripe of(StripeProto proto) {
    return new Stripe(
        proto.getVersion(),
        proto.getId(),
        new StripeCode(
            proto.getCode(),
            proto.hasParityCopies() ? proto.getParityCopies() : 1,
            proto.getDigest()),
        proto.getMembersList().stream()
            .map(member -> of(member, proto.hasChecksum() ? of(proto.getChecksum()) : null))
            .toList(),
        new StripePromise(
            proto.getPerRack(),
            List.copyOf(proto.getTargetRacksList()),
            proto.hasSitePolicy()
                ? Optional.of(new StripePromise.Sites(proto.getSitePolicy(), proto.getPerSite()))
                : Optional.empty()),
        proto.getVerified(),
        proto.getCell(),
        problem(proto));
  }

  private static @Nullable String problem(StripeProto proto) {
    return proto.getVersion() == VERSION ? null : laterVersion(proto.getVersion());
  }

  static String laterVersion(int version) {
    return "it is described in version %d, this Braid knows versions up to %d: upgrade Braid"
        .formatted(version, StripeAttribute.LATEST);
  }

  private static Member of(MemberProto proto, @Nullable ReplicaChecksum common) {
    return proto.hasBlock()
        ? new Member(
            of(proto.getBlock()),
            proto.getCrc32C(),
            proto.getHome(),
            proto.getReplication(),
            proto.hasChecksum() ? of(proto.getChecksum()) : common)
        : Member.VIRTUAL;
  }

  /** Checksums as a message. */
  public static ChecksumProto toProto(ReplicaChecksum checksum) {
    ChecksumProto.Builder proto = ChecksumProto.newBuilder().setChunk(checksum.chunk());
    return checksum.type().equals(ReplicaChecksum.CRC32)
        ? proto.setCrc32(true).build()
        : proto.build();
  }

  /** The checksums of a message. */
  public static ReplicaChecksum of(ChecksumProto proto) {
    return new ReplicaChecksum(
        proto.getCrc32() ? ReplicaChecksum.CRC32 : ReplicaChecksum.CRC32C, proto.getChunk());
  }

  /** A block as a message. */
  public static BlockProto toProto(BlockIdentity block) {
    return BlockProto.newBuilder()
        .setId(block.id())
        .setGeneration(block.generation())
        .setLength(block.length())
        .build();
  }

  /** The block of a message. */
  public static BlockIdentity of(BlockProto proto) {
    return new BlockIdentity(proto.getId(), proto.getGeneration(), proto.getLength());
  }
}
