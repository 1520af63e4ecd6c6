package org.braid.hdfs.stripe;

/**
 * The checksums that HDFS keeps with a replica, as the file's writer chose them.
 *
 * @param type HDFS's name of the checksum, {@code CRC32C} or {@code CRC32}
 * @param chunk bytes that one checksum covers
 */
public record ReplicaChecksum(String type, int chunk) {
  /** The checksum type of nearly all files. */
  public static final String CRC32C = "CRC32C";

  /** The type of files written with {@code dfs.checksum.type=CRC32}. */
  public static final String CRC32 = "CRC32";
}
