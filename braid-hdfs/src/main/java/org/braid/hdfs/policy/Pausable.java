package org.braid.hdfs.policy;

import java.util.Locale;

/** Work of the daemon that can be paused. */
public enum Pausable {
  /** Conversion by policies. */
  CONVERT,
  /** Restoration by policies. */
  RESTORE,
  /** Repair, except of what readers wait for. */
  REPAIR;

  /** The name in commands and in the stored policies. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
