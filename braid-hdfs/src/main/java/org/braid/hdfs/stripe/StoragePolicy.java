package org.braid.hdfs.stripe;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What a file's storage policy wants for one replica of a block, by HDFS's names of storage types.
 *
 * @param name name of the policy; empty when parity has it implicitly
 * @param type wanted storage type
 * @param creationFallbacks permitted types for a new block when nothing of the wanted type has room
 * @param replicationFallbacks permitted types for another replica when nothing of the wanted type
 *     has room
 */
public record StoragePolicy(
    String name, String type, List<String> creationFallbacks, List<String> replicationFallbacks) {
  /** The type of ordinary disks. */
  public static final String DISK = "DISK";

  /** HDFS's default policy, for files and for parity. */
  public static final StoragePolicy HOT =
      new StoragePolicy("", DISK, List.of(), List.of("ARCHIVE"));

  public StoragePolicy {
    creationFallbacks = List.copyOf(creationFallbacks);
    replicationFallbacks = List.copyOf(replicationFallbacks);
  }

  /** Permitted types for a new block, the best first. */
  public Set<String> ofNewBlocks() {
    return all(creationFallbacks);
  }

  /** Permitted types for another replica of a block, the best first. */
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
