package org.braid.lab.daemon;

/** What NameNode and DataNodes have loaded. */
public enum Plugins {
  /** Braid's plugins, as its documentation says to configure them. */
  BRAID,
  /** Nothing: HDFS as it comes. */
  NONE
}
