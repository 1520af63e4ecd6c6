package org.braid.hdfs.testkit.embedded;

import java.nio.file.Path;
import java.util.Map;

/**
 * What an embedded HDFS looks like.
 *
 * @param sites sites, at least 1; rack r is at site r mod sites
 * @param racks racks, at least as many as sites; node i stands in rack i mod racks
 * @param nodes DataNodes, at least as many as racks, or 0 for a NameNode alone
 * @param blockSize block size in bytes, a multiple of 512
 * @param directory where NameNode and DataNodes keep their files; made if missing
 * @param properties further Hadoop properties; {@code dfs.datanode.data.dir} names the volumes of
 *     each DataNode relative to a directory of its own, as {@code [DISK]disk,[SSD]ssd}
 * @param nameNodes 1, or 2 of which one is active
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
