package org.braid.engine.block;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Computes the CRC-32C of a block whose bytes arrive in any order, as those of sub-blocks do. CRCs
 * are affine: each piece contributes the CRC of a block that is zero elsewhere.
 */
public final class BlockCrc {
  private final long length;
  private final CRC32C crc = new CRC32C();
  private int sum;
  private long added;

  /**
   * A block without bytes so far.
   *
   * @param length its bytes
   */
  public BlockCrc(long length) {
    this.length = length;
  }

  /**
   * Adds the remaining bytes of a buffer, whose position stays. Every byte of the block must be
   * added at most once.
   *
   * @param offset position of the bytes in the block
   */
  public void add(long offset, ByteBuffer bytes) {
    int count = bytes.remaining();
    if (offset < 0 || count > length - offset) {
      throw new IllegalArgumentException(
          count + " bytes at " + offset + " are not in a block of " + length);
    }
    crc.reset();
    crc.update(bytes.duplicate());
    int raw = (int) crc.getValue() ^ Crc32cZeros.append(0, count);
    sum ^= Crc32cZeros.shift(raw, length - offset - count);
    added += count;
  }

  /** Whether all bytes of the block were added. */
  public boolean isComplete() {
    return added == length;
  }

  /**
   * The CRC-32C of the block.
   *
   * @throws IllegalStateException when bytes are missing
   */
  public int value() {
    if (!isComplete()) {
      throw new IllegalStateException(added + " of " + length + " bytes of a block were added");
    }
    return sum ^ Crc32cZeros.append(0, length);
  }
}
