package org.braid.hdfs.stripe;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What the storage policy of a file wants for one replica of a block, by the names of HDFS's types
 * of storage.
 *
 * @param name the policy's; empty when parity has it without a word
 * @param type where the replica is to be
 * @param creationFallbacks where a new block may be while nothing of the type has room
 * @param replicationFallbacks where another replica of a block may be while nothing of the type has
 *     room
 */
public record StoragePolicy(
    String name, String type, List<String> creationFallbacks, List<String> replicationFallbacks) {
  /** The type of ordinary disks. */
  public static final String DISK = "DISK";

  /** HDFS's ordinary policy, of files and of parity. */
  public static final StoragePolicy HOT =
      new StoragePolicy("", DISK, List.of(), List.of("ARCHIVE"));

  public StoragePolicy {
    creationFallbacks = List.copyOf(creationFallbacks);
    replicationFallbacks = List.copyOf(replicationFallbacks);
  }

  /** Types that a new block may be on, the best first. */
  public Set<String> ofNewBlocks() {
    return all(creationFallbacks);
  }

  /** Types that another replica of a block may be on, the best first. */
  public Set<String> ofReplicas() {
    return all(replicationFallbacks);
  }

  private Set<String> all(List<String> fallbacks) {
    Set<String> types = new LinkedHashSet<>();
    types.add(type);
    types.addAll(fallbacks);
    return types;
  }
}
