package org.braid.shard.report;

/** The state of a shard, or of another file among shards. */
public enum ShardState {
  /** Written, or read completely without a fault. */
  OK,
  /** Header and length are right; the body was not needed and not read. */
  UNREAD,
  /** No file has this shard. */
  MISSING,
  /** The file ends too early. */
  TRUNCATED,
  /** The file goes on after the last cell. */
  TOO_LONG,
  /** The header cannot be read. */
  HEADER_DAMAGED,
  /** Cells do not match their checksums. */
  BODY_DAMAGED,
  /** The file cannot be opened or read. */
  UNREADABLE,
  /** An interrupted run left it under the hidden name of a temporary file. */
  TEMPORARY,
  /** It was missing, damaged or without its name, and has been rebuilt. */
  REPAIRED,
  /** A second file with the same shard. */
  DUPLICATE,
  /** A shard of another encoding with the same code. */
  OTHER_SET,
  /** A shard of another encoding with another code. */
  OTHER_CODE,
  /** A shard of a newer format. */
  UNKNOWN_VERSION
}
