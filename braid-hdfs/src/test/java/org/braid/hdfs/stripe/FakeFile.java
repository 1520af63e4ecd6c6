package org.braid.hdfs.stripe;

import java.util.List;
import java.util.Optional;

/** A file that a test says something of: the rest is as small and as ordinary as it can be. */
public final class FakeFile {
  private final String path;
  private final long inode;
  private long length = 1;
  private long blockSize = 1;
  private int replication = 1;
  private List<BlockStatus> blocks = List.of();
  private List<String> obstacles = List.of();
  private Optional<String> across = Optional.empty();
  private StoredFile.Usage usage = StoredFile.Usage.UNKNOWN;
  private StoragePolicy storage = StoragePolicy.HOT;

  private FakeFile(String path, long inode) {
    this.path = path;
    this.inode = inode;
  }

  /** A file of one byte and one replica, of whose blocks nothing is told. */
  public static FakeFile at(String path, long inode) {
    return new FakeFile(path, inode);
  }

  /** Its bytes, and those of a full block. */
  public FakeFile length(long bytes, long ofBlock) {
    length = bytes;
    blockSize = ofBlock;
    return this;
  }

  /** Its replication, as the namespace has it. */
  public FakeFile replication(int replicas) {
    replication = replicas;
    return this;
  }

  /** Its blocks. */
  public FakeFile blocks(BlockStatus... all) {
    return blocks(List.of(all));
  }

  /** Its blocks. */
  public FakeFile blocks(List<BlockStatus> all) {
    blocks = all;
    return this;
  }

  /** Why Braid may not convert it. */
  public FakeFile obstacles(String... all) {
    obstacles = List.of(all);
    return this;
  }

  /** The code of the stripes across files that its directory foresees. */
  public FakeFile across(Optional<String> code) {
    across = code;
    return this;
  }

  /** Who uses it, and when. */
  public FakeFile usage(StoredFile.Usage by) {
    usage = by;
    return this;
  }

  /** What its storage policy wants. */
  public FakeFile storage(StoragePolicy policy) {
    storage = policy;
    return this;
  }

  /** The file as the NameNode would tell of it. */
  public StoredFile build() {
    return new StoredFile(
        path, inode, length, blockSize, replication, blocks, obstacles, "", across, usage, storage);
  }
}
