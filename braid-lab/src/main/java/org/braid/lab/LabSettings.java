package org.braid.lab;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.braid.lab.daemon.Plugins;
import org.braid.lab.network.LabNetwork;
import org.braid.lab.network.LabTopology;
import org.braid.lab.network.LinkLimits;

/**
 * The settings of a lab.
 *
 * @param plan hosts, racks, sites and the first limits of links
 * @param blockSize default block size in bytes, a multiple of 512
 * @param plugins the plugins of NameNode and DataNodes
 * @param properties further Hadoop properties, for all daemons and clients
 * @param room bytes for the data of NameNode and DataNodes
 * @param directory the directory of that data on a disk; empty: in memory
 * @param disks whether the DataNodes share one disk
 * @param nodeManagers the number of YARN's NodeManagers, each on the host of a DataNode; 0: no YARN
 */
public record LabSettings(
    LabNetwork plan,
    long blockSize,
    Plugins plugins,
    Map<String, String> properties,
    long room,
    Optional<Path> directory,
    Disks disks,
    int nodeManagers) {
  private static final long MEBI = 1L << 20;

  /** The disks of the DataNodes. */
  public enum Disks {
    /** All of them share the room for data. */
    SHARED,
    /** Each has a disk of its own in memory, with all the room, which can run full. */
    OWN
  }

  public LabSettings {
    if (blockSize < 512 || blockSize % 512 != 0) {
      throw new IllegalArgumentException(
          "block size " + blockSize + " is not a positive multiple of 512, HDFS's checksum chunk");
    }
    if (room < 64 * MEBI) {
      throw new IllegalArgumentException(
          room + " bytes are too few to store anything: give at least 64m");
    }
    if (disks == Disks.OWN && directory.isPresent()) {
      throw new IllegalArgumentException("disks of DataNodes are in memory, not in a directory");
    }
    if (nodeManagers < 0 || nodeManagers > plan.topology().topology().nodes()) {
      throw new IllegalArgumentException(
          "%d NodeManagers are not within 0 and the number of DataNodes, %d"
              .formatted(nodeManagers, plan.topology().topology().nodes()));
    }
    properties = Map.copyOf(properties);
  }

  /** A lab with Braid's plugins, blocks of 8 MiB and 4 GiB of memory for data. */
  public static LabSettings of(LabTopology topology, LinkLimits limits) {
    return new LabSettings(
        new LabNetwork(topology, limits),
        8 * MEBI,
        Plugins.BRAID,
        Map.of(),
        4096 * MEBI,
        Optional.empty(),
        Disks.SHARED,
        0);
  }

  public LabTopology topology() {
    return plan.topology();
  }

  /** A copy with other first limits. */
  public LabSettings with(LinkLimits limits) {
    return new LabSettings(
        new LabNetwork(topology(), limits),
        blockSize,
        plugins,
        properties,
        room,
        directory,
        disks,
        nodeManagers);
  }

  /** A copy with other plugins. */
  public LabSettings with(Plugins other) {
    return new LabSettings(
        plan, blockSize, other, properties, room, directory, disks, nodeManagers);
  }

  /** A copy with another block size. */
  public LabSettings withBlockSize(long bytes) {
    return new LabSettings(plan, bytes, plugins, properties, room, directory, disks, nodeManagers);
  }

  /** A copy with another Hadoop property. */
  public LabSettings withProperty(String key, String value) {
    Map<String, String> all = new TreeMap<>(properties);
    all.put(key, value);
    return new LabSettings(plan, blockSize, plugins, all, room, directory, disks, nodeManagers);
  }

  /** A copy with other room for data. */
  public LabSettings withRoom(long bytes) {
    return new LabSettings(
        plan, blockSize, plugins, properties, bytes, directory, disks, nodeManagers);
  }

  /** A copy with the data on a disk. */
  public LabSettings in(Path disk) {
    return new LabSettings(
        plan, blockSize, plugins, properties, room, Optional.of(disk), disks, nodeManagers);
  }

  /** A copy with a disk for each DataNode. */
  public LabSettings withOwnDisks() {
    return new LabSettings(
        plan, blockSize, plugins, properties, room, directory, Disks.OWN, nodeManagers);
  }

  /** A copy with YARN, and a NodeManager beside each of some DataNodes. */
  public LabSettings withNodeManagers(int number) {
    return new LabSettings(plan, blockSize, plugins, properties, room, directory, disks, number);
  }

  /**
   * Whether a lab with other settings can be used: it may differ only in limits and in larger room.
   * The place of its data must be the same, as memory and disks have different speeds.
   */
  boolean servedBy(LabSettings other) {
    return topology().sameAs(other.topology())
        && blockSize == other.blockSize
        && plugins == other.plugins
        && properties.equals(other.properties)
        && disks == other.disks
        && nodeManagers == other.nodeManagers
        && place().equals(other.place())
        && room <= other.room;
  }

  private Optional<Path> place() {
    return directory.map(disk -> disk.toAbsolutePath().normalize());
  }
}
