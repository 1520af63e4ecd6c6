package org.braid.hdfs.stripe;

import java.util.Map;
import java.util.Optional;

/**
 * A DataNode as the NameNode knows it.
 *
 * @param host as HDFS prints it
 * @param rack its network location
 * @param remaining bytes
 * @param inService neither decommissioned nor in maintenance, nor on the way there
 * @param heartbeatAgeMillis since its last heartbeat
 * @param suspect silent, though the NameNode may still believe it alive: not to be relied on
 * @param upgradeDomain empty when it is in none
 * @param blockPool the NameNode's, one of those that the DataNode serves; empty when not known
 * @param storages the most bytes left on one storage of a type, by type; empty for one of {@link
 *     StoragePolicy#DISK}
 */
public record Datanode(
    String uuid,
    String host,
    String ip,
    int ipcPort,
    int transferPort,
    String rack,
    long remaining,
    boolean live,
    boolean inService,
    long heartbeatAgeMillis,
    boolean suspect,
    Optional<String> upgradeDomain,
    String blockPool,
    Map<String, Long> storages) {
  public Datanode {
    storages = Map.copyOf(storages);
  }

  /** A DataNode with ordinary disks. */
  public Datanode(
      String uuid,
      String host,
      String ip,
      int ipcPort,
      int transferPort,
      String rack,
      long remaining,
      boolean live,
      boolean inService,
      long heartbeatAgeMillis,
      boolean suspect,
      Optional<String> upgradeDomain,
      String blockPool) {
    this(
        uuid,
        host,
        ip,
        ipcPort,
        transferPort,
        rack,
        remaining,
        live,
        inService,
        heartbeatAgeMillis,
        suspect,
        upgradeDomain,
        blockPool,
        Map.of());
  }

  /** Whether it has storage of a type. */
  public boolean has(String type) {
    return storages.isEmpty() ? type.equals(StoragePolicy.DISK) : storages.containsKey(type);
  }

  /** The most bytes left on one storage of a type. */
  public long remaining(String type) {
    return !has(type) ? 0 : storages.getOrDefault(type, remaining);
  }
}
