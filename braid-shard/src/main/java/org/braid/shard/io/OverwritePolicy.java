package org.braid.shard.io;

/** Whether a file that exists is replaced. */
public enum OverwritePolicy {
  /** The file stays; the request is refused. */
  REFUSE,
  /** The new content replaces the file once it is complete. */
  REPLACE
}
