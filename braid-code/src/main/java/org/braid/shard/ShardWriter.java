package org.braid.shard;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Writes one shard: its cells one after the other, then its header. */
final class ShardWriter implements Closeable {
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

  static ShardWriter create(Path target, SetId set, int block, int headerBytes) throws IOException {
    AtomicFile file = AtomicFile.create(target);
    file.skip(headerBytes);
    return new ShardWriter(file, set, block);
  }

  /** Writes the next stripe's cell, all of the buffer. */
  void append(ByteBuffer cell) throws IOException {
    int value = CellChecksum.of(set, block, stripe++, cell);
    seal.add(value);
    file.append(cell, checksum.clear().putInt(value).flip());
  }

  int seal() {
    return seal.value();
  }

  /** Completes the file, which still has no name then. */
  void finish(ShardSet complete) throws IOException {
    file.start(new ShardHeader(complete, block).write());
    file.sync();
  }

  void publish(Existing existing) throws IOException {
    file.publish(existing);
  }

  Path target() {
    return file.target();
  }

  int block() {
    return block;
  }

  /** Bytes written. */
  long bytes() {
    return file.bytes();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
