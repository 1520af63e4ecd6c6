package org.braid.hdfs.fault;

/** The steps of the lifecycle, in order, at which a process may stop and nothing may be lost. */
public enum FaultStep {
  /** Coordinator: files are grouped into stripes, nothing is written. */
  CONVERT_GROUPED,
  /** Coordinator: parity is written and closed in the staging directory. */
  CONVERT_ENCODED,
  /** Coordinator: parity was read back from disk and compared. */
  CONVERT_VERIFIED,
  /** Coordinator: the stripe's parity blocks are one file. */
  CONVERT_CONCATENATED,
  /** Coordinator: the parity file names the stripe. */
  CONVERT_DESCRIBED,
  /** Coordinator: the parity file stands in its final place. */
  CONVERT_PUBLISHED,
  /** Coordinator: blocks that had to move have a verified copy at their new home. */
  CONVERT_RELOCATED,
  /** Coordinator: surplus replicas of one stripe are dropped. */
  CONVERT_TRIMMED,
  /** Coordinator: a file's replication is persisted. */
  CONVERT_PERSISTED,
  /** Coordinator: lost blocks of a stripe have new homes chosen, nothing is written. */
  REPAIR_PLANNED,
  /** Coordinator: lost blocks are rebuilt and published. */
  REPAIR_REBUILT,
  /** Coordinator: rebuilt blocks were read back from disk and compared. */
  REPAIR_VERIFIED,
  /** Coordinator: the stripe names the new homes. */
  REPAIR_HOMED,
  /** Coordinator: replication is raised again. */
  RESTORE_RAISED,
  /** Coordinator: all replicas exist. */
  RESTORE_REPLICATED,
  /** Coordinator: parity is deleted. */
  RESTORE_SWEPT,
  /** Worker: a slice is read from a replica. */
  WORKER_READ,
  /** Worker: a slice is about to leave for another worker. */
  WORKER_SEND,
  /** Worker: a slice is about to be stored. */
  WORKER_STORE,
  /** Worker: all bytes of a block are written, it is not published. */
  WORKER_FINISH,
  /** Worker: a block is published. */
  WORKER_PUBLISHED,
  /** NameNode: a stripe's description is about to be written. */
  NAMENODE_PUT_STRIPE,
  /** NameNode: a stripe is about to be trimmed. */
  NAMENODE_TRIM,
  /** NameNode: one block of a stripe is trimmed, others are not. */
  NAMENODE_TRIM_BLOCK,
  /** NameNode: the replication of a converted file is about to be persisted. */
  NAMENODE_PERSIST,
  /** NameNode: replication is raised in the namespace, not yet for blocks trimmed in memory. */
  NAMENODE_RAISE,
  /** NameNode: a client's removal was judged, HDFS is about to make it. */
  NAMENODE_REMOVE
}
