package org.braid.hdfs.testkit.embedded;

import org.apache.hadoop.conf.Configuration;
import org.braid.code.CodeFamily;
import org.braid.code.Codes;
import org.braid.hdfs.datanode.BraidDataNodePlugin;
import org.braid.hdfs.namenode.BraidNameNodePlugin;
import org.braid.hdfs.namenode.BraidPlacementPolicy;
import org.braid.hdfs.namenode.files.EnabledCodes;

/** Properties that make an embedded cluster load Braid's plugins. */
final class EmbeddedPlugins {
  private EmbeddedPlugins() {}

  static void configure(Configuration conf) {
    conf.set(BraidNameNodePlugin.PLUGINS_KEY, BraidNameNodePlugin.class.getName());
    conf.set(BraidNameNodePlugin.POLICY_KEY, BraidPlacementPolicy.class.getName());
    conf.set(BraidDataNodePlugin.PLUGINS_KEY, BraidDataNodePlugin.class.getName());
    conf.setStrings(
        EnabledCodes.KEY, Codes.families().stream().map(CodeFamily::prefix).toArray(String[]::new));
    conf.setBoolean("dfs.datanode.block-pinning.enabled", true);
  }

  /** Removes these properties. */
  static void remove(Configuration conf) {
    conf.unset(BraidNameNodePlugin.PLUGINS_KEY);
    conf.unset(BraidNameNodePlugin.POLICY_KEY);
    conf.unset(BraidDataNodePlugin.PLUGINS_KEY);
    conf.unset("dfs.datanode.block-pinning.enabled");
  }
}
