package org.braid.hdfs.stripe;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A file as the NameNode sees it, with its blocks.
 *
 * @param length bytes
 * @param blockSize bytes of a full block
 * @param replication as the namespace has it
 * @param obstacles why Braid may not convert it: UNDER_CONSTRUCTION, STRIPED, IN_SNAPSHOT, ...
 * @param readers who may read it: files with the same text have the same readers. A reader of a
 *     stripe's block may be given all others of the stripe, so that only such files share stripes.
 * @param across the code of the stripes across files that its directory's placement foresees, if it
 *     does
 * @param usage who uses it, and when
 * @param storage what its storage policy wants, and parity of its blocks is to have
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
   * Who uses a file, and when.
   *
   * @param modified milliseconds since 1970
   * @param accessed the same, as far as HDFS records it or imported audit logs show it
   * @param striped bytes that HDFS stores of a file that it stripes itself, of whose blocks nothing
   *     is told; 0 of all other files
   */
  public record Usage(String owner, long modified, long accessed, long striped) {
    /** Of a file that is gone. */
    public static final Usage UNKNOWN = new Usage("", 0, 0);

    /** Of a file that HDFS does not stripe. */
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

  /** Whether HDFS keeps one replica of it, so that only a stripe protects it. */
  public boolean hasOneReplica() {
    return hasOneReplica(
        replication,
        !obstacles.contains("UNDER_CONSTRUCTION"),
        blocks.stream().mapToInt(BlockStatus::expected));
  }

  /**
   * The same of a file that is not described.
   *
   * @param replication of the file
   * @param closed whether it is not being written
   * @param expected replicas of each of its blocks, none of which is striped by HDFS
   */
  public static boolean hasOneReplica(int replication, boolean closed, IntStream expected) {
    return replication == 1 && closed && expected.anyMatch(replicas -> replicas == 1);
  }

  /**
   * A text that is the same for files that may share stripes: those with the same readers and the
   * same storage policy, so that parity has one that suits all of them.
   */
  public String sharing() {
    return storage.name().isEmpty() ? readers : readers + '\n' + storage.name();
  }
}
