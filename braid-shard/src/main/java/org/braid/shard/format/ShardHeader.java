package org.braid.shard.format;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;
import org.braid.shard.report.ShardState;

/**
 * The header of a shard file; the package's page has its layout.
 *
 * @param set what all shards of the set have in common
 * @param block the shard's block in the code, 0..n-1
 */
public record ShardHeader(ShardSet set, int block) {
  static final long MAGIC = 0x894252_53480D0A1AL;
  static final int VERSION = 1;

  /** Bytes that are the same in all versions. */
  static final int PREFIX = 20;

  public static final int CHECKSUM_AT = 16;
  private static final int DIGEST_BYTES = 32;
  private static final int FIXED = 132;

  /** The longest header; a damaged length must not cause a large allocation. */
  private static final int MAX_BYTES = 1 << 20;

  public ShardHeader {
    if (block < 0 || block >= set.n()) {
      throw new IllegalArgumentException("block " + block + " of " + set.n());
    }
  }

  /** The header of a file cannot be used. */
  public static final class BadHeaderException extends IOException {
    private static final long serialVersionUID = 1L;

    private final ShardState state;

    BadHeaderException(ShardState state, String message) {
      super(message);
      this.state = state;
    }

    public ShardState state() {
      return state;
    }
  }

  /** Bytes of the header of a shard. */
  public static int bytes(String code, String name, int n) {
    return FIXED + utf8(code).length + utf8(name).length + Integer.BYTES * n;
  }

  public int bytes() {
    return bytes(set.code(), set.name(), set.n());
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The header as bytes. */
  public ByteBuffer write() {
    byte[] code = utf8(set.code());
    byte[] name = utf8(set.name());
    ByteBuffer out = ByteBuffer.allocate(bytes());
    out.putLong(MAGIC).putShort((short) VERSION).putShort((short) 0);
    out.putInt(out.capacity()).putInt(0);
    set.id().write(out);
    out.putInt(block).putInt(set.n()).putInt(set.k()).putInt(set.alpha());
    out.putInt(set.cell()).putLong(set.length());
    out.put(HexFormat.of().parseHex(set.sha256())).put(HexFormat.of().parseHex(set.digest()));
    out.putShort((short) code.length).putShort((short) name.length).put(code).put(name);
    set.seals().forEach(out::putInt);
    return out.putInt(CHECKSUM_AT, checksum(out.flip()));
  }

  /** The checksum of a header's bytes, with zeros in place of the checksum itself. */
  public static int checksum(ByteBuffer header) {
    ByteBuffer copy = ByteBuffer.allocate(header.remaining());
    copy.put(header.duplicate()).flip().putInt(CHECKSUM_AT, 0);
    CRC32C crc = new CRC32C();
    crc.update(copy);
    return (int) crc.getValue();
  }

  /** Whether a file begins with the magic number of shards. */
  public static boolean isShard(FileChannel file) throws IOException {
    ByteBuffer magic = ByteBuffer.allocate(Long.BYTES);
    return readFully(file, magic, 0) && magic.getLong(0) == MAGIC;
  }

  /**
   * Reads the header of a file.
   *
   * @throws BadHeaderException when the header is damaged, cut off or of an unknown version
   */
  public static ShardHeader read(FileChannel file) throws IOException {
    long size = file.size();
    ByteBuffer prefix = ByteBuffer.allocate(PREFIX);
    if (size < PREFIX || !readFully(file, prefix, 0)) {
      throw new BadHeaderException(
          ShardState.TRUNCATED, "the file ends inside the header, after " + bytes(size));
    }
    if (prefix.getLong(0) != MAGIC) {
      throw damaged("it does not begin with the magic number of shards");
    }
    int length = prefix.getInt(12);
    if (length < FIXED || length > MAX_BYTES) {
      throw damaged("a header of " + Integer.toUnsignedLong(length) + " bytes is impossible");
    }
    ByteBuffer all = ByteBuffer.allocate(length);
    if (size < length || !readFully(file, all, 0)) {
      throw new BadHeaderException(
          ShardState.TRUNCATED,
          "the file ends inside the header, after " + size + " of " + bytes(length));
    }
    all.flip();
    if (checksum(all) != all.getInt(CHECKSUM_AT)) {
      throw damaged("its checksum does not match, bits have flipped");
    }
    int version = Short.toUnsignedInt(all.getShort(8));
    if (version != VERSION) {
      throw new BadHeaderException(
          ShardState.UNKNOWN_VERSION,
          "version " + version + " is not known, this program reads version " + VERSION);
    }
    try {
      return parse(all.position(PREFIX));
    } catch (CharacterCodingException e) {
      throw damaged("a name is not UTF-8");
    } catch (IllegalArgumentException e) {
      throw damaged(String.valueOf(e.getMessage()));
    }
  }

  private static String bytes(long count) {
    return count + (count == 1 ? " byte" : " bytes");
  }

  private static BadHeaderException damaged(String why) {
    return new BadHeaderException(ShardState.HEADER_DAMAGED, "header: " + why);
  }

  private static ShardHeader parse(ByteBuffer in) throws CharacterCodingException {
    SetId id = SetId.read(in);
    int block = in.getInt();
    int n = in.getInt();
    int k = in.getInt();
    int alpha = in.getInt();
    int cell = in.getInt();
    long length = in.getLong();
    String sha256 = hex(in);
    String digest = hex(in);
    int codeBytes = Short.toUnsignedInt(in.getShort());
    int nameBytes = Short.toUnsignedInt(in.getShort());
    if (n < 0 || in.remaining() != codeBytes + nameBytes + (long) Integer.BYTES * n) {
      throw new IllegalArgumentException("its length does not fit its fields");
    }
    String code = text(in, codeBytes);
    String name = text(in, nameBytes);
    List<Integer> seals = new ArrayList<>(n);
    for (int i = 0; i < n; i++) {
      seals.add(in.getInt());
    }
    return new ShardHeader(
        new ShardSet(id, code, digest, n, k, alpha, cell, length, sha256, name, seals), block);
  }

  private static String hex(ByteBuffer in) {
    byte[] bytes = new byte[DIGEST_BYTES];
    in.get(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private static String text(ByteBuffer in, int bytes) throws CharacterCodingException {
    ByteBuffer slice = in.slice(in.position(), bytes);
    in.position(in.position() + bytes);
    return StandardCharsets.UTF_8.newDecoder().decode(slice).toString();
  }

  /** Fills a buffer from a position of a file; false when the file ends before it is full. */
  private static boolean readFully(FileChannel file, ByteBuffer buffer, long position)
      throws IOException {
    while (buffer.hasRemaining()) {
      if (file.read(buffer, position + buffer.position()) < 0) {
        return false;
      }
    }
    return true;
  }
}
