package org.braid.hdfs.coordinator;

import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.StoragePolicySatisfierMode;
import org.apache.hadoop.hdfs.server.balancer.NameNodeConnector;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyDefault;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi.FsVolumeReferences;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.apache.hadoop.hdfs.server.mover.Mover;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.sps.StoragePolicySatisfier;
import org.apache.hadoop.hdfs.server.sps.ExternalSPSContext;
import org.apache.hadoop.hdfs.server.sps.ExternalStoragePolicySatisfier;
import org.apache.hadoop.util.ReflectionUtils;
import org.apache.hadoop.util.ServicePlugin;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.braid.hdfs.testkit.embedded.EmbeddedCluster;

/** Runs HDFS's own Balancer and Mover as their command lines do, to their end. */
final class HdfsMovers {
  private HdfsMovers() {}

  /** Whether a program looks at Braid's placement policy, or at HDFS's, as nobody told it. */
  enum Policy {
    BRAIDS,
    HDFS
  }

  /**
   * Balances until no node differs by more than a percent, or no block can be moved any more.
   *
   * @return the program's exit status
   */
  static int balance(EmbeddedCluster hdfs, Policy policy) throws Exception {
    Configuration conf = configuration(hdfs, policy);
    // The block size is far below what is worth balancing otherwise.
    conf.setLong(DFSConfigKeys.DFS_BALANCER_GETBLOCKS_MIN_BLOCK_SIZE_KEY, 1);
    conf.setInt(DFSConfigKeys.DFS_BALANCER_MAX_NO_MOVE_INTERVAL_KEY, 1000);
    Class<?> program = Class.forName("org.apache.hadoop.hdfs.server.balancer.Balancer$Cli");
    return run(program, conf, "-threshold", "1", "-idleiterations", "1");
  }

  /** Moves the blocks of a path to storages as its storage policy wants them. */
  static int move(EmbeddedCluster hdfs, Policy policy, String path) throws Exception {
    Configuration conf = configuration(hdfs, policy);
    conf.setInt(DFSConfigKeys.DFS_MOVER_RETRY_MAX_ATTEMPTS_KEY, 2);
    return run(Mover.Cli.class, conf, "-p", path);
  }

  /**
   * Starts HDFS's storage policy satisfier, which moves what {@code satisfyStoragePolicy} asks for
   * until it is closed; the NameNode must have it on.
   */
  static Closeable satisfier(EmbeddedCluster hdfs) throws Exception {
    Configuration conf = configuration(hdfs, Policy.HDFS);
    StoragePolicySatisfier satisfier = new StoragePolicySatisfier(conf);
    NameNodeConnector connector = ExternalStoragePolicySatisfier.getNameNodeConnector(conf);
    satisfier.init(new ExternalSPSContext(satisfier, connector));
    satisfier.start(StoragePolicySatisfierMode.EXTERNAL);
    return () -> {
      satisfier.stopGracefully();
      connector.close();
    };
  }

  private static Configuration configuration(EmbeddedCluster hdfs, Policy policy) {
    Configuration conf = hdfs.configuration();
    // They leave their file systems open, which would be closed long after the cluster.
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    // Between rounds they wait for two heartbeats.
    conf.set(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, "200ms");
    if (policy == Policy.HDFS) {
      conf.setClass(
          DFSConfigKeys.DFS_BLOCK_REPLICATOR_CLASSNAME_KEY,
          BlockPlacementPolicyDefault.class,
          BlockPlacementPolicy.class);
    }
    return conf;
  }

  private static int run(Class<?> program, Configuration conf, String... args) throws Exception {
    return ToolRunner.run(conf, (Tool) ReflectionUtils.newInstance(program, conf), args);
  }

  /** Says how many bytes a DataNode can store on volumes of a type. */
  static void capacity(EmbeddedCluster hdfs, int node, StorageType type, long bytes)
      throws IOException {
    try (FsVolumeReferences volumes = hdfs.dataNode(node).getFSDataset().getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        if (volume.getStorageType() == type) {
          ((FsVolumeImpl) volume).setCapacityForTesting(bytes);
        }
      }
    }
  }

  /** Runs something while the NameNode is without Braid's plugin, as after a mistaken start. */
  static void withoutPlugin(EmbeddedCluster hdfs, Work work) throws Exception {
    Field field = NameNode.class.getDeclaredField("plugins");
    field.setAccessible(true);
    List<?> plugins = (List<?>) field.get(hdfs.nameNode());
    for (Object plugin : plugins) {
      ((ServicePlugin) plugin).stop();
    }
    try {
      work.run();
    } finally {
      for (Object plugin : plugins) {
        ((ServicePlugin) plugin).start(hdfs.nameNode());
      }
    }
  }

  /** Work that may fail. */
  @FunctionalInterface
  interface Work {
    void run() throws Exception;
  }
}
