package org.braid.hdfs.coordinator.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.net.NetUtils;

/**
 * Finds the address of the active NameNode for a user who named a standby, from the configurations
 * of both hosts.
 */
final class ActiveNameNode {
  private static final String ADDRESS = HdfsClientConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY;

  private static final String UNKNOWN =
      "name the active NameNode by -fs or fs.defaultFS, or the name service of both (dfs.nameservices,"
          + " dfs.ha.namenodes.*); hdfs haadmin -getAllServiceState tells which is active";

  /** A name service with several NameNodes, by their addresses. */
  private record Pair(String service, List<String> addresses) {
    boolean has(String nameNode) {
      return addresses.stream().anyMatch(address -> isSame(address, nameNode));
    }
  }

  private ActiveNameNode() {}

  /**
   * Returns the advice: which address to use instead.
   *
   * @param standby the address that was named, as {@code host:port}
   * @param here the configuration of this host
   * @param there the standby's own
   */
  static String instead(String standby, Configuration here, Optional<Configuration> there) {
    Optional<String> known =
        pairs(here).stream()
            .filter(pair -> pair.has(standby))
            .findFirst()
            .map(
                pair ->
                    "name both NameNodes: -fs hdfs://%1$s, or set fs.defaultFS to hdfs://%1$s"
                        .formatted(pair.service));
    return known
        .or(() -> there.flatMap(conf -> own(standby, conf)).map(pair -> copied(standby, pair)))
        .orElse(UNKNOWN);
  }

  private static String copied(String standby, Pair pair) {
    String others =
        pair.addresses.stream()
            .filter(address -> !isSame(address, standby))
            .map(address -> "-fs hdfs://" + address)
            .collect(Collectors.joining(" or "));
    return "name the active NameNode: %1$s; or set dfs.nameservices, dfs.ha.namenodes.%2$s and dfs.namenode.rpc-address.%2$s.* here as they are there, and name both: -fs hdfs://%2$s"
        .formatted(others, pair.service);
  }

  /**
   * The name service that a NameNode belongs to by its own configuration: the only one, under
   * whichever address, or the one of several with its address. The configuration of another host
   * may know only another cluster.
   */
  private static Optional<Pair> own(String nameNode, Configuration conf) {
    List<Pair> pairs = pairs(conf);
    return pairs.size() == 1
        ? Optional.of(pairs.get(0))
        : pairs.stream().filter(pair -> pair.has(nameNode)).findFirst();
  }

  private static boolean isSame(String address, String other) {
    try {
      return address.equals(other)
          || NetUtils.createSocketAddr(address).equals(NetUtils.createSocketAddr(other));
    } catch (IllegalArgumentException e) {
      return false; // one of them is no address
    }
  }

  private static List<Pair> pairs(Configuration conf) {
    List<Pair> pairs = new ArrayList<>();
    for (String service : conf.getTrimmedStringCollection(HdfsClientConfigKeys.DFS_NAMESERVICES)) {
      List<String> addresses =
          conf
              .getTrimmedStringCollection(
                  HdfsClientConfigKeys.DFS_HA_NAMENODES_KEY_PREFIX + "." + service)
              .stream()
              .map(id -> conf.getTrimmed(ADDRESS + "." + service + "." + id, ""))
              .filter(address -> !address.isEmpty())
              .toList();
      if (addresses.size() > 1) {
        pairs.add(new Pair(service, addresses));
      }
    }
    return pairs;
  }
}
