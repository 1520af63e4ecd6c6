package org.braid.shard;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.braid.shard.ShardScan.Shard;

/** All shards of a set that are there, open for reading. */
final class Sources implements Closeable {
  private final Map<Integer, ShardSource> byBlock = new TreeMap<>();

  private Sources() {}

  static Sources open(Path directory, Selection selection) throws IOException {
    Sources sources = new Sources();
    try {
      for (Map.Entry<Integer, List<Shard>> entry : selection.shards().entrySet()) {
        int block = entry.getKey();
        sources.byBlock.put(
            block, ShardSource.open(directory, selection.set(), block, entry.getValue()));
      }
    } catch (IOException e) {
      sources.close();
      throw e;
    }
    return sources;
  }

  Optional<ShardSource> of(int block) {
    return Optional.ofNullable(byBlock.get(block));
  }

  /** Reads a block's cell of a stripe; no when there is no good one. */
  boolean read(int block, long number, Stripe into) {
    ShardSource source = byBlock.get(block);
    return source != null && source.read(number, into.cell(block));
  }

  /** Blocks whose shards are there, and known to need a repair. */
  BitSet faulty() {
    BitSet faulty = new BitSet();
    byBlock.forEach((block, source) -> faulty.set(block, source.isFaulty()));
    return faulty;
  }

  long bytesRead() {
    Collection<ShardSource> all = byBlock.values();
    return all.stream().mapToLong(ShardSource::bytesRead).sum();
  }

  @Override
  public void close() throws IOException {
    for (ShardSource source : byBlock.values()) {
      source.close();
    }
  }
}
