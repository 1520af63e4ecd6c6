package org.braid.hdfs.namenode.lock;

/**
 * What of the NameNode's state a hold of its lock protects. The names are those of Hadoop 3.5,
 * which can lock files and blocks apart; Hadoop 3.4 has one lock for all.
 */
public enum LockMode {
  /** Files and directories: inodes, attributes, permissions, quotas, which blocks a file has. */
  FS,
  /** Blocks: where their replicas are, the queues of what is to be copied, the DataNodes. */
  BM,
  /** Both. */
  GLOBAL
}
