package org.braid.hdfs.datanode.peers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.net.NetUtils;

/** The NameNodes of the block pools that a DataNode serves. */
public final class PoolNameNodes {
  private PoolNameNodes() {}

  /**
   * Whom to ask about a block pool: the file system of the configuration where there is one name
   * service only, else the name service whose NameNodes have the pool, or the NameNode itself.
   *
   * @throws IOException when the DataNode does not yet talk to a NameNode of the pool
   */
  public static URI uri(DataNode node, String blockPool) throws IOException {
    if (DFSUtilClient.getNameServiceIds(node.getConf()).size() <= 1) {
      return FileSystem.getDefaultUri(node.getConf());
    }
    Set<String> addresses = new TreeSet<>();
    for (Map<String, String> talk : node.getBPServiceActorInfoMap()) {
      if (blockPool.equals(talk.get("BlockPoolID"))) {
        addresses.add(talk.get("NamenodeAddress"));
      }
    }
    return uri(node.getConf(), addresses, blockPool);
  }

  /**
   * The same of what is known.
   *
   * @param addresses of NameNodes of the pool, for clients or for DataNodes, as {@code host:port}
   */
  static URI uri(Configuration conf, Set<String> addresses, String blockPool) throws IOException {
    Set<InetSocketAddress> known =
        addresses.stream().map(NetUtils::createSocketAddr).collect(Collectors.toSet());
    for (String key :
        List.of(
            HdfsClientConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY,
            DFSConfigKeys.DFS_NAMENODE_SERVICE_RPC_ADDRESS_KEY)) {
      for (var service : DFSUtilClient.getAddresses(conf, null, key).entrySet()) {
        if (service.getKey() != null
            && service.getValue().values().stream().anyMatch(known::contains)) {
          return uri(conf, service.getKey());
        }
      }
    }
    for (String address : addresses) {
      return uri(address);
    }
    throw new IOException("no NameNode of block pool " + blockPool + " is known yet");
  }

  /** A name service: by its name where it has several NameNodes. */
  private static URI uri(Configuration conf, String service) {
    var clients =
        DFSUtilClient.getAddresses(conf, null, HdfsClientConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY)
            .getOrDefault(service, Map.of())
            .values();
    return clients.size() == 1
        ? uri(NetUtils.getHostPortString(clients.iterator().next()))
        : uri(service);
  }

  private static URI uri(String authority) {
    return URI.create(HdfsConstants.HDFS_URI_SCHEME + "://" + authority);
  }
}
