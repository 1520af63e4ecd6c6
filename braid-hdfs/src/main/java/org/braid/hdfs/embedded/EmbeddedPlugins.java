package org.braid.hdfs.embedded;

import org.apache.hadoop.conf.Configuration;

/** The properties by which a cluster loads Braid. */
final class EmbeddedPlugins {
  private EmbeddedPlugins() {}

  static void configure(Configuration conf) {
    conf.setBoolean("dfs.datanode.block-pinning.enabled", true);
  }
}
