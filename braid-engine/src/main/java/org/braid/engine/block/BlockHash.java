package org.braid.engine.block;

import java.nio.ByteBuffer;
import org.braid.kernel.Kernel;
import org.braid.kernel.LinearHash;

/** Computes the {@link LinearHash} of each sub-block of a block. Not thread-safe. */
public final class BlockHash {
  private final CellLayout layout;
  private final LinearHash hash;

  /**
   * Starts the hash of a block. Bytes that are not added count as zeros, for example behind a short
   * block.
   *
   * @param layout of the stripe's blocks
   */
  public BlockHash(CellLayout layout, long seed, Kernel kernel) {
    this.layout = layout;
    hash = new LinearHash(layout.alpha(), seed, kernel);
  }

  /**
   * Adds the remaining bytes of a buffer, whose position stays. Every byte of the block must be
   * added at most once.
   *
   * @param offset position of the bytes in the block
   */
  public void add(long offset, ByteBuffer bytes) {
    int count = bytes.remaining();
    if (offset < 0 || count > layout.blockLength() - offset) {
      throw new IllegalArgumentException(
          count + " bytes at " + offset + " are not in a block of " + layout.blockLength());
    }
    for (int done = 0; done < count; ) {
      CellLayout.Part first = layout.part(offset + done, 1);
      int run = (int) Math.min(count - done, layout.run(first.offset()));
      hash.add(first.first(), first.offset(), bytes.slice(bytes.position() + done, run));
      done += run;
    }
  }

  /** The hashes of all sub-blocks, {@link LinearHash#BYTES} bytes each, one after the other. */
  public byte[] hashes() {
    return hash.hashes();
  }
}
