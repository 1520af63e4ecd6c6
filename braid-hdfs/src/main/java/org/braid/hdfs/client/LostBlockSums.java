package org.braid.hdfs.client;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Optional;
import java.util.zip.Checksum;
import org.apache.hadoop.fs.Options.ChecksumCombineMode;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.DFSClientBase.BlockSum;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.util.DataChecksum;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.ReplicaChecksum;
import org.braid.hdfs.stripe.StripeStatus;
import org.jspecify.annotations.Nullable;

/** Computes the checksums that a DataNode would return for a lost block. */
final class LostBlockSums {
  private static final int READ = 1 << 20;

  private LostBlockSums() {}

  /**
   * Opens the block's file at the block's offset, by its path, which may lead to another file by
   * now.
   */
  @FunctionalInterface
  interface Content {
    Found open() throws IOException;
  }

  /**
   * The block at this offset.
   *
   * @param block the block; null for none
   * @param in bytes of the file from the offset; lost blocks are rebuilt
   */
  record Found(@Nullable ExtendedBlock block, InputStream in) {}

  /**
   * The block's member in a stripe; empty when no stripe holds the block in its present state. The
   * last block of a range may have less than its full length, as it ends with the range.
   */
  static Optional<Member> memberOf(ExtendedBlock block, List<StripeStatus> stripes) {
    return stripes.stream()
        .flatMap(status -> status.stripe().members().stream())
        .filter(
            member ->
                member.isBlock(block.getBlockId())
                    && member.block().generation() == block.getGenerationStamp()
                    && member.block().length() >= block.getNumBytes())
        .findFirst();
  }

  /**
   * The checksum of a block. Reads nothing if the stripe has recorded it.
   *
   * @param src the block's file
   * @param member the block's member, from {@link #memberOf}
   * @param alike the checksum of another block of the file, if there is one
   * @throws BlockMissingException when the block's checksum type is unknown; it is known again once
   *     the block is rebuilt
   * @throws IOException also when the file has changed and its content is that of another block
   */
  static BlockSum of(
      String src,
      LocatedBlock block,
      Member member,
      ChecksumCombineMode mode,
      @Nullable BlockSum alike,
      Content content)
      throws IOException {
    DataChecksum.Type type;
    int chunk;
    ReplicaChecksum recorded = member.checksum();
    if (recorded != null) {
      type = DataChecksum.Type.valueOf(recorded.type());
      chunk = recorded.chunk();
    } else if (alike != null) {
      type = alike.type();
      chunk = alike.chunk();
    } else {
      throw new BlockMissingException(
          src,
          "which checksums "
              + block.getBlock()
              + " had is recorded nowhere, and no other block of"
              + " its file is left",
          block.getStartOffset());
    }
    boolean composite = mode == ChecksumCombineMode.COMPOSITE_CRC;
    long bytes = block.getBlock().getNumBytes();
    if (composite && type == DataChecksum.Type.CRC32C && bytes == member.block().length()) {
      return new BlockSum(bytesOf(member.crc()), type, chunk);
    }
    Found found = content.open();
    try (InputStream in = found.in()) {
      checkSame(src, block, found.block());
      // One CRC of the whole block, or one a chunk.
      return new BlockSum(
          composite ? wholeCrc(in, bytes, type) : md5OfCrcs(in, bytes, type, chunk), type, chunk);
    }
  }

  /** Says of another block what HDFS's stream says of a path that another file took. */
  private static void checkSame(String src, LocatedBlock wanted, @Nullable ExtendedBlock found)
      throws IOException {
    ExtendedBlock block = wanted.getBlock();
    if (found == null
        || !found.equals(block)
        || found.getGenerationStamp() != block.getGenerationStamp()) {
      throw new IOException(
          "Blocklist for %s has changed! At %d it has %s and no more %s"
              .formatted(src, wanted.getStartOffset(), found == null ? "no block" : found, block));
    }
  }

  private static byte[] bytesOf(int crc) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(crc).array();
  }

  private static byte[] wholeCrc(InputStream in, long bytes, DataChecksum.Type type)
      throws IOException {
    Checksum crc = crc(type, READ);
    byte[] buffer = new byte[READ];
    for (long left = bytes; left > 0; ) {
      int read = fill(in, buffer, (int) Math.min(left, READ));
      crc.update(buffer, 0, read);
      left -= read;
    }
    return bytesOf((int) crc.getValue());
  }

  private static byte[] md5OfCrcs(InputStream in, long bytes, DataChecksum.Type type, int chunk)
      throws IOException {
    MessageDigest md5;
    try {
      md5 = MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IOException(e);
    }
    Checksum crc = crc(type, chunk);
    byte[] buffer = new byte[chunk];
    for (long left = bytes; left > 0; ) {
      int read = fill(in, buffer, (int) Math.min(left, chunk));
      crc.reset();
      crc.update(buffer, 0, read);
      md5.update(bytesOf((int) crc.getValue()));
      left -= read;
    }
    return md5.digest();
  }

  private static Checksum crc(DataChecksum.Type type, int chunk) {
    return Optional.ofNullable(DataChecksum.newDataChecksum(type, chunk)).orElseThrow();
  }

  private static int fill(InputStream in, byte[] buffer, int wanted) throws IOException {
    int read = in.readNBytes(buffer, 0, wanted);
    if (read < wanted) {
      throw new EOFException("%d of %d bytes of a lost block".formatted(read, wanted));
    }
    return read;
  }
}
