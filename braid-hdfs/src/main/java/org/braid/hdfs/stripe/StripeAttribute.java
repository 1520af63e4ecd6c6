package org.braid.hdfs.stripe;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.apache.hadoop.thirdparty.protobuf.CodedOutputStream;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.jspecify.annotations.Nullable;

/**
 * Stripes as the bytes of the attribute of their parity file. All versions are read and written
 * here only.
 *
 * <p>Version 1 is the message that goes over the wire. Version 2 has no text that follows from
 * elsewhere, and columns in place of members. Integers are varints; a column of runs is a sequence
 * of a count and a signed value each, a value for each stored member:
 *
 * <pre>
 *   0                  no message begins with it
 *   2                  the version
 *   members            and a bit for each, set when a block is stored
 *   ids                each less that of the block before and 1, signed
 *   generations        runs, less the id and the same of the block before
 *   lengths            runs
 *   code               text; copies of each parity
 *   digest             the first 8 bytes of that of the matrix
 *   limit a rack       and flags: verified, sites
 *   target racks       count and texts
 *   policy, limit      only with sites
 *   cell
 *   replication        runs
 *   checksums          runs: 0 unknown, else 2 x chunk + (CRC32 ? 1 : 0)
 *   kinds of homes     runs: 0 none, 1 UUID of 16 bytes, 2 text; then all homes
 *   CRC-32C            of each stored block, 4 bytes
 *   CRC-32C            of the stripe's id and all before, 4 bytes
 * </pre>
 *
 * A later version keeps all up to the lengths, and the last line, so that the blocks of its stripes
 * are known. The stripe's id is the name of the parity file.
 */
public final class StripeAttribute {
  /** The first version, which each release of Braid reads. */
  public static final int FIRST = 1;

  /** The latest version that this Braid knows. */
  public static final int LATEST = 2;

  private static final int MARK = 0;
  private static final int DIGEST = 8;
  private static final int CHECK = 4;
  private static final int MOST_MEMBERS = 4096;

  private static final int VERIFIED = 1;
  private static final int SITES = 2;

  private static final int NO_HOME = 0;
  private static final int UUID_HOME = 1;
  private static final int TEXT_HOME = 2;

  private StripeAttribute() {}

  /**
   * Encodes the description of a stripe.
   *
   * @param version {@link #FIRST} to {@link #LATEST}
   * @throws UnsupportedStripeException when this version of Braid does not know all of it
   */
  public static byte[] toBytes(Stripe stripe, int version) {
    stripe.code();
    if (version == FIRST) {
      return StripeCodec.toProto(stripe).toByteArray();
    }
    if (version != LATEST) {
      throw new IllegalArgumentException(
          "version %d, this Braid writes %d and %d".formatted(version, FIRST, LATEST));
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    try {
      out.writeRawByte(MARK);
      out.writeUInt32NoTag(version);
      writeBlocks(stripe, out);
      writeRest(stripe, out);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
    return checked(stripe.id(), bytes.toByteArray());
  }

  /** Appends the stripe's checksum to a description. */
  public static byte[] checked(String id, byte[] description) {
    return ByteBuffer.allocate(description.length + CHECK)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(description)
        .putInt(check(id, description, description.length))
        .array();
  }

  private static List<Member> stored(Stripe stripe) {
    return stripe.members().stream().filter(member -> !member.isVirtual()).toList();
  }

  private static void writeBlocks(Stripe stripe, CodedOutputStream out) throws IOException {
    out.writeUInt32NoTag(stripe.size());
    byte[] present = new byte[(stripe.size() + 7) / 8];
    for (int i = 0; i < stripe.size(); i++) {
      present[i / 8] |= (byte) (stripe.isVirtual(i) ? 0 : 1 << i % 8);
    }
    out.writeRawBytes(present);
    List<BlockIdentity> blocks = stored(stripe).stream().map(Member::block).toList();
    List<Long> generations = new ArrayList<>();
    long id = 0;
    long ahead = 0;
    for (BlockIdentity block : blocks) {
      out.writeSInt64NoTag(block.id() - id - 1);
      id = block.id();
      generations.add(block.generation() - id - ahead);
      ahead = block.generation() - id;
    }
    writeRuns(generations, out);
    writeRuns(blocks.stream().map(BlockIdentity::length).toList(), out);
  }

  private static void writeRest(Stripe stripe, CodedOutputStream out) throws IOException {
    List<Member> stored = stored(stripe);
    StripePromise promise = stripe.promise();
    out.writeStringNoTag(stripe.recordedCode().original());
    out.writeUInt32NoTag(stripe.recordedCode().copies());
    out.writeRawBytes(HexFormat.of().parseHex(stripe.recordedCode().digest()), 0, DIGEST);
    out.writeUInt32NoTag(promise.perRack());
    out.writeUInt32NoTag(
        (stripe.verified() ? VERIFIED : 0) | (promise.sites().isPresent() ? SITES : 0));
    out.writeUInt32NoTag(promise.targetRacks().size());
    for (String rack : promise.targetRacks()) {
      out.writeStringNoTag(rack);
    }
    if (promise.sites().isPresent()) {
      out.writeStringNoTag(promise.sites().get().policy());
      out.writeUInt32NoTag(promise.sites().get().perSite());
    }
    out.writeUInt32NoTag(stripe.cell());
    writeRuns(stored.stream().map(member -> (long) member.replication()).toList(), out);
    writeRuns(stored.stream().map(StripeAttribute::checksum).toList(), out);
    writeRuns(stored.stream().map(member -> (long) kind(member.home())).toList(), out);
    for (Member member : stored) {
      writeHome(member.home(), out);
    }
    for (Member member : stored) {
      out.writeFixed32NoTag(member.crc());
    }
  }

  private static void writeRuns(List<Long> values, CodedOutputStream out) throws IOException {
    int end;
    for (int begin = 0; begin < values.size(); begin = end) {
      end = begin + 1;
      while (end < values.size() && values.get(end).equals(values.get(begin))) {
        end++;
      }
      out.writeUInt32NoTag(end - begin);
      out.writeSInt64NoTag(values.get(begin));
    }
  }

  private static long checksum(Member member) {
    ReplicaChecksum sums = member.checksum();
    return sums == null
        ? 0
        : 2L * sums.chunk() + (sums.type().equals(ReplicaChecksum.CRC32) ? 1 : 0);
  }

  private static int kind(String home) {
    if (home.isEmpty()) {
      return NO_HOME;
    }
    try {
      return UUID.fromString(home).toString().equals(home) ? UUID_HOME : TEXT_HOME;
    } catch (IllegalArgumentException e) {
      return TEXT_HOME; // whatever an operator has named the node
    }
  }

  private static void writeHome(String home, CodedOutputStream out) throws IOException {
    switch (kind(home)) {
      case UUID_HOME -> {
        UUID uuid = UUID.fromString(home);
        out.writeFixed64NoTag(uuid.getMostSignificantBits());
        out.writeFixed64NoTag(uuid.getLeastSignificantBits());
      }
      case TEXT_HOME -> out.writeStringNoTag(home);
      default -> {}
    }
  }

  private static int check(String id, byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(id.getBytes(StandardCharsets.UTF_8));
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }

  /**
   * The version of a description, even if the rest is unreadable.
   *
   * @throws InvalidProtocolBufferException when it does not begin like a description
   */
  public static int version(byte[] bytes) throws InvalidProtocolBufferException {
    try {
      CodedInputStream in = CodedInputStream.newInstance(bytes);
      return isMessage(bytes) ? StripeProto.parseFrom(bytes).getVersion() : header(in);
    } catch (InvalidProtocolBufferException e) {
      throw e;
    } catch (IOException e) {
      throw new InvalidProtocolBufferException(e);
    }
  }

  private static boolean isMessage(byte[] bytes) {
    return bytes.length == 0 || bytes[0] != MARK;
  }

  private static int header(CodedInputStream in) throws IOException {
    in.readRawByte();
    return in.readUInt32();
  }

  /**
   * Decodes the stripe that an attribute describes; it is unsupported when a later version of Braid
   * has described it.
   *
   * @param id the name of the parity file
   * @throws InvalidProtocolBufferException when the bytes do not describe this stripe
   */
  public static Stripe of(String id, byte[] bytes) throws InvalidProtocolBufferException {
    return of(id, bytes, true);
  }

  /**
   * Decodes a description that was read before, of a file that may have been renamed since: the id
   * of the stripe is unreliable.
   */
  public static Stripe ofRenamed(byte[] bytes) throws InvalidProtocolBufferException {
    return of("", bytes, false);
  }

  private static Stripe of(String id, byte[] bytes, boolean checked)
      throws InvalidProtocolBufferException {
    try {
      if (isMessage(bytes)) {
        Stripe stripe = StripeCodec.of(StripeProto.parseFrom(bytes));
        if (checked && !stripe.id().equals(id)) {
          throw new InvalidProtocolBufferException("it describes stripe " + stripe.id());
        }
        return stripe;
      }
      int end = bytes.length - CHECK;
      if (checked
          && (end < 0
              || CodedInputStream.newInstance(bytes, end, CHECK).readFixed32()
                  != check(id, bytes, end))) {
        throw new InvalidProtocolBufferException(
            "its check does not fit: it was cut short or changed, or is that of another stripe");
      }
      CodedInputStream in = CodedInputStream.newInstance(bytes, 0, Math.max(0, end));
      int version = header(in);
      @Nullable BlockIdentity[] blocks = readBlocks(in);
      return version == LATEST ? readRest(id, blocks, in) : later(version, id, blocks);
    } catch (InvalidProtocolBufferException e) {
      throw e;
    } catch (IOException e) {
      throw new InvalidProtocolBufferException(e);
    }
  }

  private static Stripe later(int version, String id, @Nullable BlockIdentity[] blocks) {
    return new Stripe(
        version,
        id,
        new StripeCode("unknown", 1, ""),
        Arrays.stream(blocks)
            .map(block -> block == null ? Member.VIRTUAL : Member.parity(block, 0, ""))
            .toList(),
        new StripePromise(0, List.of(), Optional.empty()),
        false,
        0,
        StripeCodec.laterVersion(version));
  }

  /** The blocks; null where none is stored. NameNodes read millions, so nothing is boxed. */
  private static @Nullable BlockIdentity[] readBlocks(CodedInputStream in) throws IOException {
    int members = in.readUInt32();
    if (members < 0 || members > MOST_MEMBERS) {
      throw new InvalidProtocolBufferException(members + " members");
    }
    BitSet present = BitSet.valueOf(in.readRawBytes((members + 7) / 8));
    if (present.length() > members) {
      throw new InvalidProtocolBufferException(
          "block %d of %d members".formatted(present.length() - 1, members));
    }
    long[] ids = new long[present.cardinality()];
    long id = 0;
    for (int i = 0; i < ids.length; i++) {
      id += in.readSInt64() + 1;
      ids[i] = id;
    }
    long[] generations = readRuns(ids.length, in);
    long[] lengths = readRuns(ids.length, in);
    @Nullable BlockIdentity[] blocks = new BlockIdentity[members];
    long ahead = 0;
    int at = 0;
    for (int i = present.nextSetBit(0); i >= 0; i = present.nextSetBit(i + 1)) {
      ahead += generations[at];
      blocks[i] = new BlockIdentity(ids[at], ids[at] + ahead, lengths[at]);
      at++;
    }
    return blocks;
  }

  private static long[] readRuns(int size, CodedInputStream in) throws IOException {
    long[] values = new long[size];
    int read = 0;
    while (read < size) {
      int count = in.readUInt32();
      long value = in.readSInt64();
      if (count < 1 || count > size - read) {
        throw new InvalidProtocolBufferException(
            "%d values behind %d of %d".formatted(count, read, size));
      }
      Arrays.fill(values, read, read + count, value);
      read += count;
    }
    return values;
  }

  private static Stripe readRest(String id, @Nullable BlockIdentity[] blocks, CodedInputStream in)
      throws IOException {
    StripeCode code =
        StripeCode.ofPrefix(
            in.readStringRequireUtf8(),
            in.readUInt32(),
            HexFormat.of().formatHex(in.readRawBytes(DIGEST)),
            blocks.length);
    int perRack = in.readUInt32();
    int flags = in.readUInt32();
    List<String> racks = new ArrayList<>();
    for (int left = in.readUInt32(); left > 0; left--) {
      racks.add(in.readStringRequireUtf8());
    }
    Optional<StripePromise.Sites> sites =
        (flags & SITES) == 0
            ? Optional.empty()
            : Optional.of(new StripePromise.Sites(in.readStringRequireUtf8(), in.readUInt32()));
    int cell = in.readUInt32();
    List<Member> members = readMembers(blocks, in);
    if (!in.isAtEnd()) {
      throw new InvalidProtocolBufferException("there is more than version 2 has");
    }
    return new Stripe(
        StripeCodec.VERSION,
        id,
        code,
        members,
        new StripePromise(perRack, racks, sites),
        (flags & VERIFIED) != 0,
        cell,
        null);
  }

  private static List<Member> readMembers(@Nullable BlockIdentity[] blocks, CodedInputStream in)
      throws IOException {
    int stored = (int) Arrays.stream(blocks).filter(Objects::nonNull).count();
    long[] replication = readRuns(stored, in);
    long[] checksums = readRuns(stored, in);
    long[] kinds = readRuns(stored, in);
    String[] homes = new String[stored];
    for (int i = 0; i < stored; i++) {
      homes[i] = readHome(kinds[i], in);
    }
    List<Member> members = new ArrayList<>(blocks.length);
    int at = 0;
    for (BlockIdentity block : blocks) {
      if (block == null) {
        members.add(Member.VIRTUAL);
        continue;
      }
      members.add(
          new Member(
              block, in.readFixed32(), homes[at], toInt(replication[at]), checksum(checksums[at])));
      at++;
    }
    return members;
  }

  private static @Nullable ReplicaChecksum checksum(long sums)
      throws InvalidProtocolBufferException {
    return sums == 0
        ? null
        : new ReplicaChecksum(
            (sums & 1) == 1 ? ReplicaChecksum.CRC32 : ReplicaChecksum.CRC32C, toInt(sums >> 1));
  }

  private static int toInt(long value) throws InvalidProtocolBufferException {
    if (value != (int) value) {
      throw new InvalidProtocolBufferException(value + " is too large");
    }
    return (int) value;
  }

  private static String readHome(long kind, CodedInputStream in) throws IOException {
    if (kind == NO_HOME) {
      return "";
    }
    if (kind == UUID_HOME) {
      return new UUID(in.readFixed64(), in.readFixed64()).toString();
    }
    if (kind == TEXT_HOME) {
      return in.readStringRequireUtf8();
    }
    throw new InvalidProtocolBufferException("a home of kind " + kind);
  }
}
