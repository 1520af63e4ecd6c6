package org.braid.hdfs.stripe;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A file with its blocks as the NameNode knows it.
 *
 * @param length bytes
 * @param blockSize bytes of a full block
 * @param replication replication in the namespace
 * @param obstacles reasons against its conversion: UNDER_CONSTRUCTION, STRIPED, IN_SNAPSHOT, ...
 * @param readers text for the file's readers: files with the same text have the same readers. A
 *     reader of a block may get all other blocks of its stripe, so only such files share stripes
 * @param across code of the stripes across files that its directory's placement prepares, if any
 * @param usage the file's owner and times
 * @param storage what its storage policy wants, also for the parity of its blocks
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
    Optional<String> across,
    Usage usage,
    StoragePolicy storage) {
  /**
   * The owner and the times of a file, and what a file of HDFS's own erasure coding takes.
   *
   * @param modified time of the last change in milliseconds since 1970
   * @param accessed time of the last read, as far as HDFS records it or imported audit logs show it
   * @param striped bytes stored of a file of HDFS's own erasure coding, whose blocks are not
   *     listed; 0 for all other files
   */
  public record Usage(String owner, long modified, long accessed, long striped) {
    /** The usage of a file that no longer exists. */
    public static final Usage UNKNOWN = new Usage("", 0, 0);

    /** The usage of a file without HDFS's own erasure coding. */
    public Usage(String owner, long modified, long accessed) {
      this(owner, modified, accessed, 0);
    }
  }

  public StoredFile {
    blocks = List.copyOf(blocks);
    obstacles = List.copyOf(obstacles);
  }

  /** A file with HDFS's ordinary storage policy. */
  public StoredFile(
      String path,
      long inode,
      long length,
      long blockSize,
      int replication,
      List<BlockStatus> blocks,
      List<String> obstacles,
      String readers,
      Optional<String> across,
      Usage usage) {
    this(
        path,
        inode,
        length,
        blockSize,
        replication,
        blocks,
        obstacles,
        readers,
        across,
        usage,
        StoragePolicy.HOT);
  }

  /** Whether HDFS keeps one replica of the file, so that only a stripe protects it. */
  public boolean hasOneReplica() {
    return hasOneReplica(
        replication,
        !obstacles.contains("UNDER_CONSTRUCTION"),
        blocks.stream().mapToInt(BlockStatus::expected));
  }

  /**
   * Whether HDFS keeps one replica of a file without a description.
   *
   * @param replication replication of the file
   * @param closed whether it is not being written
   * @param expected number of replicas of each of its blocks, none of which HDFS has striped
   */
  public static boolean hasOneReplica(int replication, boolean closed, IntStream expected) {
    return replication == 1 && closed && expected.anyMatch(replicas -> replicas == 1);
  }

  /**
   * A text that is equal for files that may share stripes: they have the same readers, and the same
   * storage policy, which is then also that of parity.
   */
  public String sharing() {
    return storage.name().isEmpty() ? readers : readers + '\n' + storage.name();
  }
}
