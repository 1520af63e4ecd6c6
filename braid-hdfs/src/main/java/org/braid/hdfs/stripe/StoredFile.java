package org.braid.hdfs.stripe;

import java.util.List;
import java.util.Optional;

/**
 * A file as the NameNode sees it, with its blocks.
 *
 * @param length bytes
 * @param blockSize bytes of a full block
 * @param replication as the namespace has it
 * @param obstacles why Braid may not convert it: UNDER_CONSTRUCTION, STRIPED, ENCRYPTED,
 *     IN_SNAPSHOT, ...
 * @param readers who may read it: files with the same text have the same readers. A reader of a
 *     stripe's block may be given all others of the stripe, so that only such files share stripes.
 * @param across the code of the stripes across files that its directory's placement foresees, if it
 *     does
 */
public record StoredFile(
    String path,
    long inode,
    long length,
    long blockSize,
    int replication,
    List<BlockStatus> blocks,
    List<String> obstacles,
    String readers,
    Optional<String> across) {
  public StoredFile {
    blocks = List.copyOf(blocks);
    obstacles = List.copyOf(obstacles);
  }
}
