package org.braid.hdfs.datanode;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.OptionalInt;
import org.braid.engine.SliceSource;
import org.braid.engine.block.BlockCrc;
import org.braid.engine.block.CellLayout;
import org.jspecify.annotations.Nullable;

/** Reads sub-blocks of one replica, cell by cell; each sub-block is a separate source. */
final class CellReader {
  private final SliceSource replica;
  private final CellLayout layout;
  private final @Nullable BlockCrc crc;
  private int open;

  /**
   * Creates a reader.
   *
   * @param replica the replica, from its start; closed with the last source
   * @param whole whether all sub-blocks will be read completely, so that the block's CRC is known
   */
  CellReader(SliceSource replica, CellLayout layout, Whole whole) {
    this.replica = replica;
    this.layout = layout;
    this.crc = whole == Whole.YES ? new BlockCrc(layout.blockLength()) : null;
  }

  /** Whether a block is read completely. */
  enum Whole {
    YES,
    NO
  }

  /**
   * A sub-block.
   *
   * @param offset where reading starts in it
   */
  SliceSource part(int index, long offset) {
    open++;
    return new Part(index, offset);
  }

  /** The CRC-32C of the block, including the zeros behind it, once the whole block was read. */
  OptionalInt crc() {
    return crc != null && crc.isComplete() ? OptionalInt.of(crc.value()) : OptionalInt.empty();
  }

  private final class Part implements SliceSource {
    private final int index;
    private final long base;
    private boolean closed;

    Part(int index, long base) {
      this.index = index;
      this.base = base;
    }

    @Override
    public void read(long offset, ByteBuffer into) throws IOException {
      int end = into.limit();
      long at = base + offset;
      while (into.position() < end) {
        int count = (int) Math.min(end - into.position(), layout.run(at));
        int start = into.position();
        into.limit(start + count);
        replica.read(layout.inBlock(index, at), into);
        if (crc != null) {
          crc.add(layout.inBlock(index, at), into.duplicate().position(start));
        }
        into.limit(end);
        at += count;
      }
    }

    @Override
    public void finish(int crc32c) {}

    @Override
    public void close() throws IOException {
      if (!closed) {
        closed = true;
        if (--open == 0) {
          replica.close();
        }
      }
    }
  }
}
