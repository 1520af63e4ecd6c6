package org.braid.lab.daemon;

/** What NameNode and DataNodes have loaded. */
public enum Plugins {
  /** Braid's plugins, as its documentation says to configure them. */
  BRAID,
  /** Braid's plugins, and {@code braid coordinator} runs on the NameNode's host. */
  BRAID_WATCHED,
  /** Nothing: HDFS as it comes. */
  NONE
}
