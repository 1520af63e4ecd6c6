package org.braid.hdfs.stripe;

import org.apache.hadoop.thirdparty.protobuf.ByteString;

/**
 * The NameNode's present knowledge of a member of a stripe.
 *
 * @param status status of its block; without replicas when the block no longer exists
 * @param path path of the block's file; empty when the block no longer exists, and for readers
 * @param inode inode of that file
 * @param gone whether the member is virtual, or its block was deleted, or changed by append or
 *     truncate
 * @param onlyInSnapshots whether only snapshots hold the block, because the file was deleted or
 *     truncated before it
 * @param fileReplication replication of the file in the namespace
 * @param oneInSnapshots whether a snapshot has the file with replication 1, which will be that of
 *     blocks that only this snapshot holds, whatever the file's replication is
 * @param reencoded whether a later stripe protects the block
 * @param token a READ token for the block, empty if none was requested or tokens are off
 * @param storage the storage policy of the file now
 */
public record MemberStatus(
    BlockStatus status,
    String path,
    long inode,
    boolean gone,
    boolean onlyInSnapshots,
    int fileReplication,
    boolean oneInSnapshots,
    boolean reencoded,
    ByteString token,
    StoragePolicy storage) {
  /** The status of a member that is virtual or whose block no longer exists. */
  public static final MemberStatus GONE =
      new MemberStatus(BlockStatus.NONE, "", 0, true, false, 0, false, false, ByteString.EMPTY);

  /** A member whose file has HDFS's ordinary storage policy. */
  public MemberStatus(
      BlockStatus status,
      String path,
      long inode,
      boolean gone,
      boolean onlyInSnapshots,
      int fileReplication,
      boolean oneInSnapshots,
      boolean reencoded,
      ByteString token) {
    this(
        status,
        path,
        inode,
        gone,
        onlyInSnapshots,
        fileReplication,
        oneInSnapshots,
        reencoded,
        token,
        StoragePolicy.HOT);
  }

  /** The status without the file's path, for callers that may not see it. */
  MemberStatus withoutName() {
    return new MemberStatus(
        status,
        "",
        inode,
        gone,
        onlyInSnapshots,
        fileReplication,
        oneInSnapshots,
        reencoded,
        token,
        storage);
  }

  /** Whether users want several replicas; a block may have several even if they do not. */
  public boolean wantsReplicas() {
    return fileReplication > 1 && status.expected() > 1;
  }

  /** Whether the block has several good replicas, and its file in the namespace wants several. */
  public boolean isReplicated() {
    return wantsReplicas() && status.replicas().stream().filter(Replica::isGood).count() > 1;
  }
}
