package org.braid.hdfs.datanode;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;
import org.braid.engine.SliceSink;
import org.braid.engine.block.BlockCrc;
import org.braid.engine.block.CellLayout;

/**
 * Assembles a block from its sub-blocks and passes its bytes on in order, round by round. The block
 * is complete with its last sub-block.
 */
final class BlockAssembly {
  private final SliceSink block;
  private final CellLayout layout;
  private final List<ByteBuffer> windows;
  private final BlockCrc crc;
  private long handedOn;
  private int finished;

  /**
   * Starts a block.
   *
   * @param block receives all bytes of the layout
   * @param windows a buffer of {@link #window} bytes for each sub-block, for bytes that arrive
   *     before those of other sub-blocks
   */
  BlockAssembly(SliceSink block, CellLayout layout, List<ByteBuffer> windows) {
    this.block = block;
    this.layout = layout;
    this.windows = List.copyOf(windows);
    this.crc = new BlockCrc(layout.blockLength());
    windows.forEach(ByteBuffer::clear);
  }

  /**
   * The maximum number of waiting bytes of a sub-block.
   *
   * @param slice bytes of an arriving slice
   */
  static int window(CellLayout layout, int slice) {
    boolean wholeCells = slice % layout.cell() == 0;
    long most = wholeCells ? slice : (long) slice + layout.cell();
    return Math.toIntExact(Math.min(most, layout.unit()));
  }

  /** The sink of a sub-block, opened once. */
  SliceSink part(int index) {
    return new Part(index);
  }

  /** The CRC-32C of the complete block. */
  int crc() {
    return crc.value();
  }

  /** Hands on the rounds of which every sub-block has come. */
  private void handOn() throws IOException {
    int done = 0;
    while (handedOn < layout.unit()) {
      int width = (int) layout.run(handedOn);
      int end = done + width;
      if (windows.stream().anyMatch(window -> window.position() < end)) {
        break;
      }
      for (ByteBuffer window : windows) {
        block.write(window.duplicate().limit(end).position(done));
      }
      done = end;
      handedOn += width;
    }
    if (done > 0) {
      for (ByteBuffer window : windows) {
        window.flip().position(done);
        window.compact();
      }
    }
  }

  private final class Part implements SliceSink {
    private final int index;
    private final CRC32C came = new CRC32C();
    private long written;

    Part(int index) {
      this.index = index;
    }

    @Override
    public void write(ByteBuffer slice) throws IOException {
      ByteBuffer window = windows.get(index);
      if (slice.remaining() > layout.unit() - written || slice.remaining() > window.remaining()) {
        throw new IOException(
            slice.remaining()
                + " bytes of sub-block "
                + index
                + " after "
                + written
                + " of "
                + layout.unit()
                + " are too many: "
                + window.position()
                + " wait for other sub-blocks");
      }
      came.update(slice.duplicate());
      ByteBuffer rest = slice.duplicate();
      while (rest.hasRemaining()) {
        int count = (int) Math.min(rest.remaining(), layout.run(written));
        crc.add(layout.inBlock(index, written), rest.slice(rest.position(), count));
        rest.position(rest.position() + count);
        written += count;
      }
      window.put(slice);
      handOn();
    }

    @Override
    public void finish(int crc32c) throws IOException {
      if ((int) came.getValue() != crc32c) {
        throw new IOException(
            "sub-block "
                + index
                + ": CRC-32C is "
                + StoringSink.hex((int) came.getValue())
                + ", was "
                + StoringSink.hex(crc32c)
                + " where it was combined: not published");
      }
      if (written != layout.unit()) {
        throw new IOException(
            "sub-block " + index + ": " + written + " of " + layout.unit() + " bytes came");
      }
      if (++finished == layout.alpha()) {
        block.finish(crc.value());
      }
    }

    @Override
    public void close() throws IOException {
      // Without its last sub-block a block is abandoned.
      block.close();
    }
  }
}
