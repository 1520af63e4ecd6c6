package org.braid.shard.format;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** CRC-32C of a cell, and the seal of a shard: the CRC-32C of its cells' checksums. */
public final class CellChecksum {
  public static final int BYTES = 4;

  private CellChecksum() {}

  /**
   * The checksum of a cell and its place; a cell of another set, shard or stripe does not match.
   *
   * @param cell from position to limit; both stay unchanged
   */
  public static int of(SetId set, int block, long stripe, ByteBuffer cell) {
    ByteBuffer place = ByteBuffer.allocate(SetId.BYTES + Integer.BYTES + Long.BYTES);
    set.write(place);
    place.putInt(block).putLong(stripe);
    CRC32C crc = new CRC32C();
    crc.update(place.flip());
    crc.update(cell.duplicate());
    return (int) crc.getValue();
  }

  /** The checksum of the checksums of a shard's cells, in stripe order. */
  public static final class Seal {
    private final CRC32C crc = new CRC32C();
    private final ByteBuffer number = ByteBuffer.allocate(BYTES);

    public void add(int checksum) {
      crc.update(number.clear().putInt(checksum).flip());
    }

    public int value() {
      return (int) crc.getValue();
    }
  }
}
