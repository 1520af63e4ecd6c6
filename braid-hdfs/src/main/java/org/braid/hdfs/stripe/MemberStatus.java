package org.braid.hdfs.stripe;

import org.apache.hadoop.thirdparty.protobuf.ByteString;

/**
 * What the NameNode knows of a member of a stripe now.
 *
 * @param status the block's; without replicas when the block is gone
 * @param path the file that the block belongs to; empty when it is gone, and for readers
 * @param inode of that file
 * @param gone whether the member is virtual, or its block was deleted, or changed by append or
 *     truncate
 * @param onlyInSnapshots whether the file was deleted, or cut before the block, so that only
 *     snapshots have that
 * @param fileReplication replication of the file in the namespace
 * @param oneInSnapshots whether a snapshot has the file with replication 1: that of blocks which
 *     later only this snapshot has, whatever the file's is
 * @param reencoded whether a later stripe protects the block
 * @param token a READ token for the block, empty where none was asked for or tokens are off
 * @param storage what the file's storage policy wants now
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
  /** Of a member that is virtual or whose block is gone. */
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

  /** The same for those who need not know what the file is called. */
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

  /** Whether users want several replicas: blocks may be given copies without that. */
  public boolean wantsReplicas() {
    return fileReplication > 1 && status.expected() > 1;
  }

  /** Whether the block has several good copies, as its file in the namespace is to have. */
  public boolean isReplicated() {
    return wantsReplicas() && status.replicas().stream().filter(Replica::isGood).count() > 1;
  }
}
