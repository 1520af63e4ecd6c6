package org.braid.hdfs.client.degraded;

import java.nio.ByteBuffer;
import org.braid.code.SubBlock;
import org.braid.engine.SliceSink;
import org.braid.engine.block.CellLayout;
import org.braid.engine.block.CellLayout.Part;

/** Writes the slices of a rebuilt sub-block to their places in the requested range. */
final class RangeSink implements SliceSink {
  private final CellLayout layout;
  private final Part part;
  private final SubBlock target;
  private final ByteBuffer into;
  private long written;

  /**
   * Creates a sink.
   *
   * @param layout layout of the stripe's blocks
   * @param part the requested sub-blocks and their range
   * @param into buffer for the part in the order of its block
   */
  RangeSink(CellLayout layout, Part part, SubBlock target, ByteBuffer into) {
    this.layout = layout;
    this.part = part;
    this.target = target;
    this.into = into;
    written = part.offset();
  }

  @Override
  public void write(ByteBuffer slice) {
    while (slice.hasRemaining()) {
      int count = (int) Math.min(slice.remaining(), layout.run(written));
      long start = layout.inBlock(target.index(), written) - part.start();
      into.put(Math.toIntExact(into.position() + start), slice, slice.position(), count);
      slice.position(slice.position() + count);
      written += count;
    }
  }

  @Override
  public void finish(int crc32c) {}

  @Override
  public void close() {}
}
