package org.braid.shard;

/** What a shard was found to be, or has become. */
public enum ShardState {
  /** Written, or read from end to end without a fault. */
  OK,
  /** There, its header and length in order; its body was not needed and not read. */
  UNREAD,
  /** There is no such shard. */
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
  /** It was missing or damaged and has been written anew. */
  REPAIRED,
  /** A second shard for a block. */
  DUPLICATE,
  /** A shard of another encoding with the same code. */
  OTHER_SET,
  /** A shard of another encoding with another code. */
  OTHER_CODE,
  /** A shard of a newer format. */
  UNKNOWN_VERSION
}
