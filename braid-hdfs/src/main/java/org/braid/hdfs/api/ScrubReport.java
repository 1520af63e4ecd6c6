package org.braid.hdfs.api;

import java.io.Serializable;
import java.util.List;
import java.util.Map;

/**
 * What a scrub read and found.
 *
 * @param path what was scrubbed
 * @param complete whether all was looked at, and not only a part until it was stopped
 * @param stripes that were looked at
 * @param blocks replicas that were read
 * @param bytes of these
 * @param parity how many stripes were checked against their parity
 * @param findings what is bad; HDFS was told of replicas, and repair rebuilds them
 * @param counts findings by kind
 * @param unchecked replicas that could not be read, as their nodes do not answer, and lost blocks
 * @param unreadable why the descriptions of parity files cannot be read, by path; of a scrub of
 *     everything
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
  /** What may be wrong with a replica. */
  public enum Kind {
    /** It fits HDFS's checksums, but is not what was encoded. */
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
   * Something that is bad: a replica, or the parity of a stripe.
   *
   * @param path the file that the block belongs to
   * @param stripe its id
   * @param position of the block in the stripe; of {@link Kind#PARITY} the one block that is wrong,
   *     or a parity block that does not fit when that cannot be told
   * @param block its name
   * @param node where its replica is, or should be
   * @param detail what is wrong
   */
  public record Finding(
      Kind kind, String path, String stripe, int position, String block, String node, String detail)
      implements Serializable {}

  /**
   * A replica that could not be read.
   *
   * @param block its name
   * @param node where it is
   * @param reason why
   */
  public record Unchecked(String path, String block, String node, String reason)
      implements Serializable {}

  public ScrubReport {
    counts = Map.copyOf(counts);
    unreadable = Map.copyOf(unreadable);
  }

  /** Whether all was read, and all of it is what was encoded. */
  public boolean ok() {
    return complete && findings.isEmpty() && unchecked.isEmpty() && unreadable.isEmpty();
  }
}
