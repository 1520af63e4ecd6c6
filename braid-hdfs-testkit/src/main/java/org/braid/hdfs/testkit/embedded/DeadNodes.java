package org.braid.hdfs.testkit.embedded;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.UnregisteredNodeException;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.util.Time;

/**
 * Makes a NameNode declare a stopped DataNode dead. HDFS itself does so after missing heartbeats
 * for at least ten seconds, and checks only every five.
 */
public final class DeadNodes {
  /** More than the time after which HDFS calls a node dead here. */
  private static final long SILENT_MILLIS = 60_000;

  private static final List<String> INTERVALS =
      List.of(
          DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY,
          DFSConfigKeys.DFS_NAMENODE_HEARTBEAT_RECHECK_INTERVAL_KEY);

  /** Before the name of a property that is changed: keeps its value. */
  private static final String FORMER = "braid.test.former.";

  private DeadNodes() {}

  /**
   * Tries to make a NameNode declare a DataNode dead. The caller repeats it until it succeeds,
   * because a heartbeat that was sent before the node stopped may arrive late.
   *
   * @param uuid UUID of a stopped DataNode
   * @return whether the NameNode no longer believes the node alive
   */
  public static boolean giveUp(NameNode nameNode, String uuid) {
    DatanodeManager nodes = nameNode.getNamesystem().getBlockManager().getDatanodeManager();
    DatanodeDescriptor node = nodes.getDatanode(uuid);
    if (node == null) {
      giveUpUnknown(nameNode.getConf());
      return true;
    }
    if (!node.isAlive()) {
      return true;
    }
    node.setLastUpdateMonotonic(Time.monotonicNow() - SILENT_MILLIS);
    try {
      nodes.removeDatanode(node);
    } catch (UnregisteredNodeException e) {
      return false; // it registers anew meanwhile
    }
    return !node.isAlive();
  }

  /**
   * Of nodes that have not come back since the NameNode started HDFS knows nothing. Braid waits for
   * them as long as HDFS would, which it looks up each time; HDFS itself read these at its start.
   */
  private static void giveUpUnknown(Configuration conf) {
    for (String key : INTERVALS) {
      if (conf.get(FORMER + key) == null) {
        conf.set(FORMER + key, conf.get(key));
        conf.set(key, "0");
      }
    }
  }

  /** Has a NameNode wait for nodes that it does not know, as it did before one was given up. */
  static void awaitUnknown(NameNode nameNode) {
    Configuration conf = nameNode.getConf();
    for (String key : INTERVALS) {
      String former = conf.get(FORMER + key);
      if (former != null) {
        conf.set(key, former);
        conf.unset(FORMER + key);
      }
    }
  }
}
