package org.braid.hdfs.api;

import java.io.Serializable;
import java.util.List;
import java.util.Map;

/**
 * What a scrub read and found.
 *
 * @param path the scrubbed path
 * @param complete whether all stripes were read; false when it was stopped earlier
 * @param stripes number of stripes that were read
 * @param blocks number of replicas that were read
 * @param bytes bytes of these replicas
 * @param parity numbers of stripes by the check of their parity
 * @param findings the bad replicas, which were reported to HDFS so that repair rebuilds them, homes
 *     without a replica, and stripes with wrong parity
 * @param counts findings by kind
 * @param unchecked replicas that could not be read, mostly at nodes that do not answer, and lost
 *     blocks
 * @param unreadable why the descriptions of parity files cannot be read, by path; only of a scrub
 *     of all stripes
 * @param seconds wall time
 */
public record ScrubReport(
    String path,
    boolean complete,
    long stripes,
    long blocks,
    long bytes,
    StripeCounts parity,
    List<Finding> findings,
    Map<Kind, Long> counts,
    List<Unchecked> unchecked,
    Map<String, String> unreadable,
    double seconds) {
  /** The kinds of findings. */
  public enum Kind {
    /** The replica matches HDFS's checksums but differs from the encoded content. */
    CONTENT,
    /** It does not fit the checksums that HDFS keeps beside it. */
    CHECKSUM,
    /** A file of it is too short. */
    TRUNCATED,
    /** A file of it is missing. */
    MISSING,
    /** The NameNode counts on it, and the DataNode does not have it. */
    ABSENT,
    /** The disk does not read it. */
    UNREADABLE,
    /** The NameNode knows of no replica where the stripe says that one is to be. */
    NO_HOME,
    /**
     * All blocks of a stripe are as recorded, and yet its parity does not fit its data: what was
     * encoded was wrong. Nothing is done about it.
     */
    PARITY
  }

  /**
   * Stripes by whether their parity fits their data.
   *
   * @param checked whose data and parity were compared
   * @param unfit of these, whose parity does not fit
   * @param unchecked that could not be compared: not all blocks are there and good, or a worker is
   *     of an earlier release
   */
  public record StripeCounts(long checked, long unfit, long unchecked) {}

  /**
   * A bad replica, or a stripe with wrong parity.
   *
   * @param path the file that the block belongs to
   * @param stripe its id
   * @param position of the block in the stripe; for {@link Kind#PARITY} that of the wrong block, or
   *     that of a parity block that does not fit if the wrong one is unknown
   * @param block its name
   * @param node the node that has or should have its replica
   * @param detail what is wrong
   */
  public record Finding(
      Kind kind, String path, String stripe, int position, String block, String node, String detail)
      implements Serializable {}

  /**
   * A replica that could not be read.
   *
   * @param block its name
   * @param node the node that has it
   * @param reason why
   */
  public record Unchecked(String path, String block, String node, String reason)
      implements Serializable {}

  public ScrubReport {
    counts = Map.copyOf(counts);
    unreadable = Map.copyOf(unreadable);
  }

  /** Whether all replicas were read and match the encoded content. */
  public boolean ok() {
    return complete && findings.isEmpty() && unchecked.isEmpty() && unreadable.isEmpty();
  }
}
