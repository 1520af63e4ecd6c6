package org.braid.hdfs.datanode.peers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.net.NetUtils;
import org.braid.hdfs.dispatch.NameServices;

/** The NameNodes of the block pools that a DataNode serves. */
public final class PoolNameNodes {
  private PoolNameNodes() {}

  /** Finds the NameNodes of one pool in a configuration of its DataNode. */
  @FunctionalInterface
  public interface Lookup {
    URI uri(Configuration conf) throws IOException;
  }

  /**
   * The address of the NameNode or name service of a block pool. This is the only name service in
   * the configuration, or the NameNode that it names without one, or its file system if it names no
   * NameNode; otherwise the name service whose NameNodes have the pool, or the NameNode itself. If
   * NameNodes are named, the file system may be a router in front of them. A running DataNode gets
   * a new configuration before it leaves the pools that are not in it; the address of such a pool
   * is that of its NameNodes.
   *
   * @param conf the DataNode's configuration
   * @throws IOException when the DataNode is not connected to a NameNode of the pool
   */
  public static URI uri(DataNode node, Configuration conf, String blockPool) throws IOException {
    return uri(node.getBPServiceActorInfoMap(), conf, blockPool);
  }

  /**
   * The address by the DataNode's connections.
   *
   * @param talks the DataNode's description of each NameNode that it is connected to
   */
  static URI uri(List<Map<String, String>> talks, Configuration conf, String blockPool)
      throws IOException {
    Set<String> addresses = new TreeSet<>();
    for (Map<String, String> talk : talks) {
      if (blockPool.equals(talk.get("BlockPoolID"))) {
        addresses.add(talk.get("NamenodeAddress"));
      }
    }
    if (addresses.isEmpty()) {
      // That of another pool may be the only one that the configuration has now.
      throw new IOException("the DataNode talks to no NameNode of block pool " + blockPool);
    }
    return DFSUtilClient.getNameServiceIds(conf).size() <= 1 && reportsTo(conf, addresses)
        ? only(conf)
        : uri(conf, addresses);
  }

  /** Whether HDFS has a DataNode with a configuration report to one of some NameNodes. */
  private static boolean reportsTo(Configuration conf, Set<String> addresses) {
    Set<InetSocketAddress> known = resolved(addresses);
    try {
      return DFSUtil.getNNServiceRpcAddressesForCluster(conf).values().stream()
          .flatMap(service -> service.values().stream())
          .anyMatch(
              each -> known.contains(each) || addresses.contains(NetUtils.getHostPortString(each)));
    } catch (IOException e) {
      return false; // it names no NameNode, so that the DataNode goes on with those that it has
    }
  }

  private static Set<InetSocketAddress> resolved(Set<String> addresses) {
    return addresses.stream().map(NetUtils::createSocketAddr).collect(Collectors.toSet());
  }

  /** The only name service or NameNode, or else the file system of the configuration. */
  static URI only(Configuration conf) {
    return NameServices.of(conf).values().stream()
        .findFirst()
        .or(() -> withoutService(conf))
        .orElseGet(() -> FileSystem.getDefaultUri(conf));
  }

  /** The NameNode in no name service to which HDFS has the DataNode report, where one is named. */
  private static Optional<URI> withoutService(Configuration conf) {
    String address = conf.getTrimmed(HdfsClientConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY, "");
    return address.isEmpty() || !DFSUtilClient.getNameServiceIds(conf).isEmpty()
        ? Optional.empty()
        : Optional.of(NameServices.of(address));
  }

  /**
   * The name service whose NameNodes have a pool, or the NameNode itself.
   *
   * @param addresses of NameNodes of the pool, for clients or for DataNodes, as {@code host:port};
   *     at least one
   */
  static URI uri(Configuration conf, Set<String> addresses) {
    Set<InetSocketAddress> known = resolved(addresses);
    for (String key :
        List.of(
            HdfsClientConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY,
            DFSConfigKeys.DFS_NAMENODE_SERVICE_RPC_ADDRESS_KEY)) {
      for (var service : DFSUtilClient.getAddresses(conf, null, key).entrySet()) {
        if (service.getKey() != null
            && service.getValue().values().stream().anyMatch(known::contains)) {
          return NameServices.of(conf)
              .getOrDefault(service.getKey(), NameServices.of(service.getKey()));
        }
      }
    }
    return NameServices.of(addresses.iterator().next());
  }
}
