package org.braid.shard;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Checksums of cells, and of the checksums of a shard. */
final class CellChecksum {
  static final int BYTES = 4;

  private CellChecksum() {}

  /**
   * The checksum of a cell at its place: a cell of another set, shard or stripe does not pass.
   *
   * @param cell from position to limit, which stay as they are
   */
  static int of(SetId set, int block, long stripe, ByteBuffer cell) {
    ByteBuffer place = ByteBuffer.allocate(SetId.BYTES + Integer.BYTES + Long.BYTES);
    set.write(place);
    place.putInt(block).putLong(stripe);
    CRC32C crc = new CRC32C();
    crc.update(place.flip());
    crc.update(cell.duplicate());
    return (int) crc.getValue();
  }

  /** The checksum of the checksums of a shard's cells, in their order. */
  static final class Seal {
    private final CRC32C crc = new CRC32C();
    private final ByteBuffer number = ByteBuffer.allocate(BYTES);

    void add(int checksum) {
      crc.update(number.clear().putInt(checksum).flip());
    }

    int value() {
      return (int) crc.getValue();
    }
  }
}
