package org.braid.shard;

/** What to do where a file would be written over. */
public enum Existing {
  /** Refuse. */
  KEEP,
  /** Write over it once the new content is complete. */
  REPLACE
}
