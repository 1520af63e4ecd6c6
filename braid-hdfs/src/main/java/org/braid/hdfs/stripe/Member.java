package org.braid.hdfs.stripe;

import org.jspecify.annotations.Nullable;

/**
 * One of the n blocks of a stripe, in the code's order, data first.
 *
 * @param stored the block; null for a virtual block of zeros, which is not stored (in a stripe with
 *     fewer data blocks than k)
 * @param crc CRC-32C of the whole content
 * @param home UUID of the DataNode whose replica is kept; empty when none is recorded
 * @param replication replication of the file before conversion; 0 for parity
 * @param checksum HDFS's checksums of the block; null when they are not recorded
 */
public record Member(
    @Nullable BlockIdentity stored,
    int crc,
    String home,
    int replication,
    @Nullable ReplicaChecksum checksum) {
  /** A virtual block of zeros, which is not stored. */
  public static final Member VIRTUAL = new Member(null, 0, "", 0, null);

  /** A data block. */
  public static Member data(BlockIdentity block, int crc, String home, int replication) {
    return new Member(block, crc, home, replication, null);
  }

  /** A parity block. */
  public static Member parity(BlockIdentity block, int crc, String home) {
    return new Member(block, crc, home, 0, null);
  }

  /** Whether it is a virtual block of zeros. */
  public boolean isVirtual() {
    return stored == null;
  }

  /**
   * The block.
   *
   * @throws IllegalStateException when it is virtual
   */
  public BlockIdentity block() {
    if (stored == null) {
      throw new IllegalStateException("a virtual member has no block");
    }
    return stored;
  }

  /** Whether its block has this id. */
  public boolean isBlock(long id) {
    return stored != null && stored.id() == id;
  }

  /** The member with another home. */
  public Member at(String newHome) {
    return new Member(stored, crc, newHome, replication, checksum);
  }

  /** The member with the checksums of its block. */
  public Member with(ReplicaChecksum newChecksum) {
    return new Member(stored, crc, home, replication, newChecksum);
  }
}
