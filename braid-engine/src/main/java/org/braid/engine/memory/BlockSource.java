package org.braid.engine.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import org.braid.code.SubBlock;
import org.braid.engine.SliceSource;

/** The blocks that the nodes of a {@link MemoryEngine} store. */
@FunctionalInterface
public interface BlockSource {
  /**
   * Opens a sub-block for reading.
   *
   * @throws IOException when the node does not store it
   */
  SliceSource open(int node, SubBlock source) throws IOException;

  /** Blocks in memory, by node; a short block is padded with zeros. */
  static BlockSource of(Map<Integer, Map<SubBlock, byte[]>> blocks) {
    return (node, source) -> {
      byte[] bytes = blocks.getOrDefault(node, Map.of()).get(source);
      if (bytes == null) {
        throw new IOException("node " + node + " does not store " + source);
      }
      return new SliceSource() {
        @Override
        public void read(long offset, ByteBuffer into) {
          int from = (int) Math.min(offset, bytes.length);
          into.put(bytes, from, Math.min(into.remaining(), bytes.length - from));
          while (into.hasRemaining()) {
            into.put((byte) 0);
          }
        }

        @Override
        public void finish(int crc32c) {}

        @Override
        public void close() {}
      };
    };
  }
}
