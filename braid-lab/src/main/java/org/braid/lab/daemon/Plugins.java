package org.braid.lab.daemon;

/** The plugins of NameNode and DataNodes. */
public enum Plugins {
  /** Braid's plugins, configured as documented. */
  BRAID,
  /** Braid's plugins, and {@code braid daemon} on the NameNode's host. */
  BRAID_WATCHED,
  /** None: stock HDFS. */
  NONE
}
