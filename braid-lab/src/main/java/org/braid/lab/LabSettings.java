package org.braid.lab;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.braid.lab.daemon.Plugins;
import org.braid.lab.network.LabPlan;
import org.braid.lab.network.LabTopology;
import org.braid.lab.network.Limits;

/**
 * What a lab is like.
 *
 * @param plan who stands where, and the limits that the links have at first
 * @param blockSize bytes of a block where a client asks for no other size, a multiple of 512
 * @param plugins what NameNode and DataNodes have loaded
 * @param properties further Hadoop properties, for all daemons and clients
 * @param room bytes for what NameNode and DataNodes store
 * @param directory where they store it, on a disk; empty: in memory
 */
public record LabSettings(
    LabPlan plan,
    long blockSize,
    Plugins plugins,
    Map<String, String> properties,
    long room,
    Optional<Path> directory) {
  private static final long MEBI = 1L << 20;

  public LabSettings {
    if (blockSize < 512 || blockSize % 512 != 0) {
      throw new IllegalArgumentException(
          "block size " + blockSize + " is not a positive multiple of 512, HDFS's checksum chunk");
    }
    if (room < 64 * MEBI) {
      throw new IllegalArgumentException(
          room + " bytes are too few to store anything: give at least 64m");
    }
    properties = Map.copyOf(properties);
  }

  /** A lab of a topology with Braid's plugins, blocks of 8 MiB and 4 GiB of memory for them. */
  public static LabSettings of(LabTopology topology, Limits limits) {
    return new LabSettings(
        new LabPlan(topology, limits),
        8 * MEBI,
        Plugins.BRAID,
        Map.of(),
        4096 * MEBI,
        Optional.empty());
  }

  public LabTopology topology() {
    return plan.topology();
  }

  /** The same with other limits at first. */
  public LabSettings with(Limits limits) {
    return new LabSettings(
        new LabPlan(topology(), limits), blockSize, plugins, properties, room, directory);
  }

  /** The same with other plugins. */
  public LabSettings with(Plugins other) {
    return new LabSettings(plan, blockSize, other, properties, room, directory);
  }

  /** The same with another block size. */
  public LabSettings withBlockSize(long bytes) {
    return new LabSettings(plan, bytes, plugins, properties, room, directory);
  }

  /** The same with another property of Hadoop. */
  public LabSettings withProperty(String key, String value) {
    Map<String, String> all = new TreeMap<>(properties);
    all.put(key, value);
    return new LabSettings(plan, blockSize, plugins, all, room, directory);
  }

  /** The same with other room for data. */
  public LabSettings withRoom(long bytes) {
    return new LabSettings(plan, blockSize, plugins, properties, bytes, directory);
  }

  /** The same with the data on a disk. */
  public LabSettings in(Path disk) {
    return new LabSettings(plan, blockSize, plugins, properties, room, Optional.of(disk));
  }

  /** Whether a lab of other settings serves as well: all but the limits is alike. */
  boolean servedBy(LabSettings other) {
    return topology().sameAs(other.topology())
        && blockSize == other.blockSize
        && plugins == other.plugins
        && properties.equals(other.properties)
        && room <= other.room;
  }
}
