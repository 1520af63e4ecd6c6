package org.braid.hdfs.namenode.lock;

/**
 * The part of the NameNode's state that a lock protects. The names are those of Hadoop 3.5, which
 * can lock files and blocks separately; Hadoop 3.4 has one lock for both.
 */
public enum LockMode {
  /** Files and directories: inodes, attributes, permissions, quotas, which blocks a file has. */
  FS,
  /** Blocks: the locations of their replicas, the replication queues, the DataNodes. */
  BM,
  /** Both. */
  GLOBAL
}
