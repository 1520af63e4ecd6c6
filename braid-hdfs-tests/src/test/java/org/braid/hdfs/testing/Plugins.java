package org.braid.hdfs.testing;

import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.braid.hdfs.namenode.BraidNameNodePlugin;

/** The plugins of NameNodes in this process. */
public final class Plugins {
  private Plugins() {}

  /** That of a NameNode which has one. */
  public static BraidNameNodePlugin of(NameNode nameNode) {
    return BraidNameNodePlugin.of(
            nameNode.getNamesystem().getBlockManager().getDatanodeManager().getNetworkTopology())
        .orElseThrow();
  }
}
