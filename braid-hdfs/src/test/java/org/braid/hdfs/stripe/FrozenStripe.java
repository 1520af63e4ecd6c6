package org.braid.hdfs.stripe;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.braid.code.ErasureCode;
import org.braid.codec.Program;
import org.braid.engine.block.CellLayout;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.kernel.Kernels;

/**
 * A stripe as a release wrote it: the bytes of its attribute and of its blocks. As a file it is
 * lines of hexadecimal digits: the stripe's id, the attribute, then the blocks in order; the line
 * of a virtual block is empty. Files of version 1, whose attribute has the id, have no line for it.
 */
final class FrozenStripe {
  private static final int CELL = 512;
  private static final int SHORT = 64;

  private final byte[] attribute;
  private final List<byte[]> blocks;
  private final Stripe stripe;

  private FrozenStripe(String id, byte[] attribute, List<byte[]> blocks) throws IOException {
    this.attribute = attribute;
    this.blocks = List.copyOf(blocks);
    this.stripe = StripeAttribute.of(id, attribute);
  }

  static FrozenStripe read(Path file) throws IOException {
    List<byte[]> lines = new ArrayList<>();
    for (String line : Files.readString(file).split("\n", -1)) {
      lines.add(HexFormat.of().parseHex(line));
    }
    // The last line ends with the file.
    lines.remove(lines.size() - 1);
    String id =
        String.valueOf(file.getFileName()).startsWith("v1-")
            ? StripeProto.parseFrom(lines.get(0)).getId()
            : HexFormat.of().formatHex(lines.remove(0));
    return new FrozenStripe(id, lines.get(0), lines.subList(1, lines.size()));
  }

  void write(Path file) throws IOException {
    StringBuilder text = new StringBuilder();
    text.append(stripe.id()).append('\n');
    text.append(HexFormat.of().formatHex(attribute)).append('\n');
    blocks.forEach(block -> text.append(HexFormat.of().formatHex(block)).append('\n'));
    Files.createDirectories(file.getParent());
    Files.writeString(file, text.toString());
  }

  /**
   * Encodes a stripe of small random blocks as conversion does today. One data block is shorter and
   * one virtual, where the code has so many.
   */
  static FrozenStripe encode(ErasureCode code, StripePromise promise, Random random)
      throws IOException {
    int longest = SHORT * code.alpha();
    List<byte[]> data = new ArrayList<>();
    for (int i = 0; i < code.k(); i++) {
      int length = i == 1 ? longest - 5 : longest;
      byte[] block = new byte[i == 2 ? 0 : length];
      random.nextBytes(block);
      data.add(block);
    }
    CellLayout layout = CellLayout.of(code.alpha(), CELL, longest);
    ByteBuffer[] subBlocks = new ByteBuffer[code.n() * code.alpha()];
    Arrays.setAll(subBlocks, i -> ByteBuffer.allocate((int) layout.unit()));
    for (int i = 0; i < code.k(); i++) {
      split(layout, data.get(i), subBlocks, i);
    }
    Program.encoder(code, Kernels.scalar()).run(subBlocks, (int) layout.unit());
    List<byte[]> blocks = new ArrayList<>(data);
    List<Member> members = new ArrayList<>();
    for (int i = 0; i < code.n(); i++) {
      if (i >= code.k()) {
        blocks.add(join(layout, subBlocks, i));
      }
      byte[] block = blocks.get(i);
      BlockIdentity identity = new BlockIdentity(1L << 30 | i, 1001 + i, block.length);
      String home = "00000000-0000-0000-0000-%012d".formatted(i);
      ReplicaChecksum sums =
          i == 0
              ? new ReplicaChecksum(ReplicaChecksum.CRC32, 1024)
              : new ReplicaChecksum(ReplicaChecksum.CRC32C, 512);
      members.add(
          block.length == 0
              ? Member.VIRTUAL
              : i < code.k()
                  ? Member.data(identity, crc(block), home, 3).with(sums)
                  : Member.parity(identity, crc(block), home).with(sums));
    }
    String id = "%016x%016x".formatted(random.nextLong(), random.nextLong());
    return of(Stripe.encoded(id, code, members, promise, CELL), blocks);
  }

  private static FrozenStripe of(Stripe stripe, List<byte[]> blocks) throws IOException {
    byte[] attribute = StripeAttribute.toBytes(stripe, StripeAttribute.LATEST);
    return new FrozenStripe(stripe.id(), attribute, blocks);
  }

  /** The same on nodes that have names instead of HDFS's UUIDs, the last block on none. */
  FrozenStripe onNamedNodes() throws IOException {
    Map<Integer, String> homes = new HashMap<>();
    stripe.blocks().keySet().forEach(i -> homes.put(i, i == blocks.size() - 1 ? "" : "node-" + i));
    return of(stripe.withHomes(homes), blocks);
  }

  /** The same as before the checksums of replicas were recorded. */
  FrozenStripe withoutChecksums() throws IOException {
    StripeProto.Builder proto = StripeCodec.toProto(stripe).toBuilder().clearChecksum();
    proto.getMembersBuilderList().forEach(member -> member.clearChecksum());
    return of(StripeCodec.of(proto.build()), blocks);
  }

  byte[] attribute() {
    return attribute.clone();
  }

  Stripe stripe() {
    return stripe;
  }

  int blocks() {
    return blocks.size();
  }

  /** The bytes of a block as they are stored. */
  byte[] block(int position) {
    return blocks.get(position).clone();
  }

  /**
   * Computes blocks from the bytes of all others.
   *
   * @return the blocks with the zeros behind short ones; empty when the others do not determine
   *     them
   */
  Optional<List<byte[]>> rebuild(List<Integer> lost) {
    ErasureCode code = stripe.code();
    CellLayout layout = stripe.layout();
    ByteBuffer[] subBlocks = new ByteBuffer[code.n() * code.alpha()];
    Arrays.setAll(subBlocks, i -> ByteBuffer.allocate((int) layout.unit()));
    List<Integer> available =
        IntStream.range(0, code.n()).filter(i -> !lost.contains(i)).boxed().toList();
    available.forEach(i -> split(layout, blocks.get(i), subBlocks, i));
    Program decoder;
    try {
      decoder = Program.decoder(code, Kernels.scalar(), lost, available);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    decoder.run(subBlocks, (int) layout.unit());
    return Optional.of(lost.stream().map(i -> join(layout, subBlocks, i)).toList());
  }

  private static void split(CellLayout layout, byte[] block, ByteBuffer[] subBlocks, int position) {
    for (int s = 0; s < layout.alpha(); s++) {
      for (int at = 0; at < layout.unit(); at++) {
        int from = (int) layout.inBlock(s, at);
        byte value = from < block.length ? block[from] : 0;
        subBlocks[position * layout.alpha() + s].put(at, value);
      }
    }
  }

  private static byte[] join(CellLayout layout, ByteBuffer[] subBlocks, int position) {
    byte[] block = new byte[(int) layout.blockLength()];
    for (int s = 0; s < layout.alpha(); s++) {
      for (int at = 0; at < layout.unit(); at++) {
        block[(int) layout.inBlock(s, at)] = subBlocks[position * layout.alpha() + s].get(at);
      }
    }
    return block;
  }

  /** The CRC-32C of some bytes. */
  static int crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return (int) crc.getValue();
  }
}
