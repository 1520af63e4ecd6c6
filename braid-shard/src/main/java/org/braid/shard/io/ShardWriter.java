package org.braid.shard.io;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.braid.shard.format.CellChecksum;
import org.braid.shard.format.SetId;
import org.braid.shard.format.ShardHeader;
import org.braid.shard.format.ShardSet;

/** Writes one shard: all cells in stripe order, then the header. */
public final class ShardWriter implements Closeable {
  private final AtomicFile file;
  private final SetId set;
  private final int block;
  private final CellChecksum.Seal seal = new CellChecksum.Seal();
  private final ByteBuffer checksum = ByteBuffer.allocateDirect(CellChecksum.BYTES);
  private long stripe;

  private ShardWriter(AtomicFile file, SetId set, int block) {
    this.file = file;
    this.set = set;
    this.block = block;
  }

  public static ShardWriter create(Path target, SetId set, int block, int headerBytes)
      throws IOException {
    AtomicFile file = AtomicFile.create(target);
    file.skip(headerBytes);
    return new ShardWriter(file, set, block);
  }

  /** Writes the cell of the next stripe: the remaining bytes of the buffer. */
  public void append(ByteBuffer cell) throws IOException {
    int value = CellChecksum.of(set, block, stripe++, cell);
    seal.add(value);
    file.append(cell, checksum.clear().putInt(value).flip());
  }

  public int seal() {
    return seal.value();
  }

  /** Writes the header and syncs the file; {@link #publish} names it. */
  public void finish(ShardSet complete) throws IOException {
    file.start(new ShardHeader(complete, block).write());
    file.sync();
  }

  public void publish(OverwritePolicy overwrite) throws IOException {
    file.publish(overwrite);
  }

  public Path target() {
    return file.target();
  }

  public int block() {
    return block;
  }

  /** Bytes written. */
  public long bytes() {
    return file.bytes();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
