package org.braid.lab.daemon;

import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.braid.code.CodeFamily;
import org.braid.code.Codes;

/** The configuration of all daemons and clients of a lab, in Hadoop's format. */
final class SiteFile {
  private SiteFile() {}

  /**
   * The properties of a lab.
   *
   * @param blockSize bytes of a block
   * @param racks the table of racks by address
   * @param data the directory of the data of NameNode and DataNodes
   * @param plugins the plugins of daemons
   * @param others further properties, which take precedence
   */
  static Map<String, String> properties(
      long blockSize, Path racks, Path data, Plugins plugins, Map<String, String> others) {
    Map<String, String> all = new TreeMap<>();
    all.put("fs.defaultFS", Daemons.URI);
    all.put("hadoop.tmp.dir", data.resolve("tmp").toString());
    all.put("net.topology.node.switch.mapping.impl", "org.apache.hadoop.net.TableMapping");
    all.put("net.topology.table.file.name", racks.toString());
    all.put("dfs.namenode.rpc-address", Daemons.NAME_NODE + ":" + Daemons.RPC_PORT);
    all.put("dfs.namenode.http-address", "0.0.0.0:" + Daemons.NAME_NODE_HTTP_PORT);
    all.put("dfs.namenode.name.dir", data.resolve("name").toUri().toString());
    all.put("dfs.namenode.checkpoint.dir", data.resolve("checkpoint").toUri().toString());
    all.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
    all.put("dfs.namenode.fs-limits.min-block-size", "512");
    all.put("dfs.namenode.safemode.extension", "0");
    // Placement depends on the topology alone, not on load.
    all.put("dfs.namenode.redundancy.considerLoad", "false");
    // Nodes are dead after 2 * 1 + 10 * 1 s instead of ten minutes; the NameNode schedules work
    // each second.
    all.put("dfs.heartbeat.interval", "1");
    all.put("dfs.namenode.heartbeat.recheck-interval", "1000");
    all.put("dfs.namenode.redundancy.interval.seconds", "1s");
    all.put("dfs.namenode.replication.max-streams", "4");
    all.put("dfs.namenode.replication.max-streams-hard-limit", "8");
    // Else the NameNode reassigns the work of a dead node only after five minutes.
    all.put("dfs.namenode.reconstruction.pending.timeout-sec", "30");
    all.put("dfs.datanode.address", "0.0.0.0:" + Daemons.TRANSFER_PORT);
    all.put("dfs.datanode.http.address", "0.0.0.0:" + Daemons.DATA_NODE_HTTP_PORT);
    all.put("dfs.datanode.ipc.address", "0.0.0.0:" + Daemons.DATA_NODE_IPC_PORT);
    all.put("dfs.datanode.directoryscan.interval", "-1");
    all.put("dfs.block.scanner.volume.bytes.per.second", "0");
    all.put("dfs.datanode.du.reserved", "0");
    all.put("dfs.blocksize", String.valueOf(blockSize));
    // Space used counts the replicas of the DataNode, not the disk that all nodes share.
    all.put(
        "fs.getspaceused.classname",
        "org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.ReplicaCachingGetSpaceUsed");
    if (plugins != Plugins.NONE) {
      all.put("dfs.namenode.plugins", "org.braid.hdfs.namenode.BraidNameNodePlugin");
      all.put("dfs.block.replicator.classname", "org.braid.hdfs.namenode.BraidPlacementPolicy");
      all.put("dfs.datanode.plugins", "org.braid.hdfs.datanode.BraidDataNodePlugin");
      all.put("dfs.datanode.block-pinning.enabled", "true");
      all.put(
          "braid.codes.enabled",
          Codes.families().stream().map(CodeFamily::prefix).collect(Collectors.joining(",")));
      // A node that is stopped is not waited for.
      all.put("braid.repair.delay", "0s");
    }
    all.putAll(others);
    return all;
  }

  /** The text of a configuration file. */
  static String text(Map<String, String> properties) {
    StringBuilder text = new StringBuilder("<?xml version=\"1.0\"?>\n<configuration>\n");
    properties.forEach(
        (key, value) ->
            text.append("  <property><name>")
                .append(escaped(key))
                .append("</name><value>")
                .append(escaped(value))
                .append("</value></property>\n"));
    return text.append("</configuration>\n").toString();
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
