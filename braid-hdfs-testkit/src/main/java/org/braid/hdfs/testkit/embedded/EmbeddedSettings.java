package org.braid.hdfs.testkit.embedded;

import java.nio.file.Path;
import java.util.Map;

/**
 * Settings of an embedded HDFS.
 *
 * @param sites number of sites, at least 1; rack r is at site r mod sites
 * @param racks number of racks, at least the number of sites; node i is in rack i mod racks
 * @param nodes number of DataNodes, at least the number of racks, or 0 for a NameNode alone
 * @param blockSize block size in bytes, a multiple of 512
 * @param directory directory of the NameNodes' and DataNodes' files; created if missing
 * @param properties further Hadoop properties; {@code dfs.datanode.data.dir} names the volumes of
 *     each DataNode relative to its data directory, as in {@code [DISK]disk,[SSD]ssd}
 * @param nameNodes number of NameNodes: 1, or 2 for an active and a standby one
 */
public record EmbeddedSettings(
    int sites,
    int racks,
    int nodes,
    long blockSize,
    Path directory,
    Map<String, String> properties,
    int nameNodes) {
  /** A cluster with one NameNode. */
  public EmbeddedSettings(
      int sites,
      int racks,
      int nodes,
      long blockSize,
      Path directory,
      Map<String, String> properties) {
    this(sites, racks, nodes, blockSize, directory, properties, 1);
  }

  /** A cluster at one site. */
  public EmbeddedSettings(
      int racks, int nodes, long blockSize, Path directory, Map<String, String> properties) {
    this(1, racks, nodes, blockSize, directory, properties);
  }

  public EmbeddedSettings {
    if (sites < 1 || racks < sites) {
      throw new IllegalArgumentException(
          racks + " racks cannot fill " + sites + " sites: need at least one rack a site");
    }
    if (racks < 1 || (nodes < racks && nodes != 0)) {
      throw new IllegalArgumentException(
          nodes + " nodes cannot fill " + racks + " racks: need at least one node a rack");
    }
    if (blockSize < 512 || blockSize % 512 != 0) {
      throw new IllegalArgumentException(
          "block size " + blockSize + " is not a positive multiple of 512, HDFS's checksum chunk");
    }
    if (nameNodes != 1 && nameNodes != 2) {
      throw new IllegalArgumentException("1 or 2 NameNodes, not " + nameNodes);
    }
    properties = Map.copyOf(properties);
  }
}
