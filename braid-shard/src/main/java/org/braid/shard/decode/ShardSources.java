package org.braid.shard.decode;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.braid.shard.decode.ShardScan.Shard;
import org.braid.shard.io.StripeBuffer;

/** The available shards of a set, open for reading. */
final class ShardSources implements Closeable {
  private final Map<Integer, ShardSource> byBlock = new TreeMap<>();

  private ShardSources() {}

  static ShardSources open(Path directory, SelectedSet selection) throws IOException {
    ShardSources sources = new ShardSources();
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

  /** Reads a block's cell of a stripe; false when no good one exists. */
  boolean read(int block, long number, StripeBuffer into) {
    ShardSource source = byBlock.get(block);
    return source != null && source.read(number, into.cell(block));
  }

  /** Blocks whose shards exist and are known to be damaged. */
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
