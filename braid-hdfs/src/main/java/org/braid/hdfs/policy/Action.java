package org.braid.hdfs.policy;

import java.util.Locale;

/** The state that a policy wants a file to have. */
public enum Action {
  /** Erasure-coded. */
  CONVERT,
  /** Replicated. */
  RESTORE,
  /** As it is: later policies do not see the file. */
  LEAVE;

  /** The name in commands and in the stored policies. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
