package org.braid.hdfs.dispatch;

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.net.NetUtils;

/** The name services of a configuration: NameNodes, and routers in front of them. */
public final class NameServices {
  private NameServices() {}

  /**
   * The file systems of all name services with an address, in the order of their names. A name
   * service with several NameNodes has its name as authority, any other one its address.
   */
  public static Map<String, URI> of(Configuration conf) {
    Map<String, URI> found = new TreeMap<>();
    DFSUtilClient.getAddresses(conf, null, HdfsClientConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY)
        .forEach(
            (name, addresses) -> {
              if (name != null && !addresses.isEmpty()) {
                found.put(name, uri(name, addresses.values()));
              }
            });
    return found;
  }

  /** The same without the one of a file system, by its name or its address. */
  public static Map<String, URI> besides(URI uri, Configuration conf) {
    Map<String, URI> others = of(conf);
    others.values().removeIf(other -> uri.getAuthority().equals(other.getAuthority()));
    others.remove(uri.getHost());
    return others;
  }

  private static URI uri(String name, Collection<InetSocketAddress> addresses) {
    return of(
        addresses.size() == 1 ? NetUtils.getHostPortString(addresses.iterator().next()) : name);
  }

  /** The file system of a name service or an address. */
  public static URI of(String authority) {
    return URI.create(HdfsConstants.HDFS_URI_SCHEME + "://" + authority);
  }
}
