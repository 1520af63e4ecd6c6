package org.braid.hdfs.datanode.peers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.net.NetUtils;

/** The NameNodes of the block pools that a DataNode serves. */
public final class PoolNameNodes {
  private PoolNameNodes() {}

  /**
   * Whom to ask about a block pool: the file system of the configuration where there is one pool
   * only, else the name service whose NameNodes have the pool, or the NameNode itself.
   *
   * @param served the block pools that the DataNode serves
   * @throws IOException when the DataNode does not talk to a NameNode of the pool
   */
  public static URI uri(DataNode node, Set<String> served, String blockPool) throws IOException {
    if (served.size() == 1) {
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
   * @param addresses of NameNodes of the pool, as {@code host:port}
   */
  static URI uri(Configuration conf, Set<String> addresses, String blockPool) throws IOException {
    Map<String, Map<String, InetSocketAddress>> named =
        DFSUtilClient.getAddresses(conf, null, HdfsClientConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY);
    Set<InetSocketAddress> known =
        addresses.stream().map(NetUtils::createSocketAddr).collect(Collectors.toSet());
    for (Map.Entry<String, Map<String, InetSocketAddress>> service : named.entrySet()) {
      for (InetSocketAddress address : service.getValue().values()) {
        if (service.getKey() != null && service.getValue().size() > 1 && known.contains(address)) {
          return URI.create(HdfsConstants.HDFS_URI_SCHEME + "://" + service.getKey());
        }
      }
    }
    for (String address : addresses) {
      return URI.create(HdfsConstants.HDFS_URI_SCHEME + "://" + address);
    }
    throw new IOException("no NameNode of block pool " + blockPool + " is known yet");
  }
}
