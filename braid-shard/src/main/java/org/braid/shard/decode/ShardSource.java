package org.braid.shard.decode;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.braid.shard.decode.ShardScan.Shard;
import org.braid.shard.format.CellChecksum;
import org.braid.shard.format.ShardHeader;
import org.braid.shard.format.ShardLayout;
import org.braid.shard.format.ShardSet;
import org.braid.shard.io.FileErrors;
import org.braid.shard.report.ShardState;

/**
 * The cells of one block of a set, verified as they are read. When a block has several files, each
 * cell comes from the first file with a good one.
 */
final class ShardSource implements Closeable {
  private final ShardSet set;
  private final ShardLayout layout;
  private final int block;
  private final long header;
  private final List<Part> parts = new ArrayList<>();
  private final ByteBuffer checksum = ByteBuffer.allocateDirect(CellChecksum.BYTES);
  private long bytesRead;

  /** Number of leading cells of the first file that were read without a fault. */
  private long cellsRead;

  /** One file. */
  private static final class Part {
    private final FileChannel channel;
    private final long size;
    private final StripeRanges damaged = new StripeRanges();
    private final StripeRanges failed = new StripeRanges();
    private String failure = "";

    Part(FileChannel channel, long size) {
      this.channel = channel;
      this.size = size;
    }
  }

  private ShardSource(ShardSet set, int block) {
    this.set = set;
    this.layout = set.layout();
    this.block = block;
    this.header = ShardHeader.bytes(set.code(), set.name(), set.n());
  }

  static ShardSource open(Path directory, ShardSet set, int block, List<Shard> files)
      throws IOException {
    ShardSource source = new ShardSource(set, block);
    try {
      for (Shard file : files) {
        Path path = directory.resolve(file.path());
        try {
          source.parts.add(new Part(FileChannel.open(path), file.size()));
        } catch (IOException e) {
          throw FileErrors.failed(path, "cannot be read", e);
        }
        source.bytesRead += source.header;
      }
    } catch (IOException e) {
      source.close();
      throw e;
    }
    return source;
  }

  /**
   * Reads a stripe's cell.
   *
   * @param cell the buffer, filled completely
   * @return whether a good cell was found
   */
  boolean read(long stripe, ByteBuffer cell) {
    for (int i = 0; i < parts.size(); i++) {
      if (read(parts.get(i), stripe, cell.clear())) {
        cellsRead += i == 0 && stripe == cellsRead ? 1 : 0;
        return true;
      }
    }
    return false;
  }

  private boolean read(Part part, long stripe, ByteBuffer cell) {
    long at = header + layout.offset(stripe);
    if (at + cell.remaining() + CellChecksum.BYTES > part.size) {
      return false;
    }
    ByteBuffer[] buffers = {cell, checksum.clear()};
    try {
      part.channel.position(at);
      while (checksum.hasRemaining()) {
        long count = part.channel.read(buffers);
        if (count < 0) {
          throw new IOException("the file became shorter");
        }
        bytesRead += count;
      }
    } catch (IOException e) {
      part.failed.add(stripe);
      part.failure = String.valueOf(e.getMessage());
      return false;
    }
    if (CellChecksum.of(set.id(), block, stripe, cell.flip()) != checksum.getInt(0)) {
      part.damaged.add(stripe);
      return false;
    }
    return true;
  }

  /** The known state of the first file. */
  ShardState state() {
    Part first = parts.get(0);
    long whole = header + layout.bodyBytes();
    if (first.size < whole) {
      return ShardState.TRUNCATED;
    }
    if (!first.failed.isEmpty()) {
      return ShardState.UNREADABLE;
    }
    if (!first.damaged.isEmpty()) {
      return ShardState.BODY_DAMAGED;
    }
    if (first.size > whole) {
      return ShardState.TOO_LONG;
    }
    return cellsRead >= layout.stripes() ? ShardState.OK : ShardState.UNREAD;
  }

  /** Whether the first file is known to need a repair. */
  boolean isFaulty() {
    ShardState state = state();
    return state != ShardState.OK && state != ShardState.UNREAD;
  }

  /** The known faults of the first file; empty when there are none. */
  String why() {
    Part first = parts.get(0);
    List<String> reasons = new ArrayList<>();
    long whole = header + layout.bodyBytes();
    if (first.size < whole) {
      long cells = wholeCells(first.size);
      reasons.add(
          "%d of %d bytes; cells from %d on of %d are missing"
              .formatted(first.size, whole, cells, layout.stripes()));
    } else if (first.size > whole) {
      reasons.add("%d bytes too many at its end".formatted(first.size - whole));
    }
    if (!first.failed.isEmpty()) {
      reasons.add("cells " + first.failed + " cannot be read: " + first.failure);
    }
    if (!first.damaged.isEmpty()) {
      reasons.add(
          "cells "
              + first.damaged
              + " of "
              + layout.stripes()
              + " do not match their checksums, bits have flipped");
    }
    return String.join("; ", reasons);
  }

  private long wholeCells(long size) {
    return Math.max(0, size - header) / (layout.cell() + CellChecksum.BYTES);
  }

  long bytesRead() {
    return bytesRead;
  }

  @Override
  public void close() throws IOException {
    for (Part part : parts) {
      part.channel.close();
    }
  }
}
