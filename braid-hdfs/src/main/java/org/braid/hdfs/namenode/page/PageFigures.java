package org.braid.hdfs.namenode.page;

import java.util.List;
import java.util.Map;
import org.braid.hdfs.api.view.Health;
import org.jspecify.annotations.Nullable;

/**
 * The figures of the page. A figure that this NameNode cannot know, for example on a standby, is
 * null.
 *
 * @param nameNode address of the NameNode
 * @param state {@code active}, {@code standby} or {@code observer}
 * @param at time of the figures in ISO form
 * @param health null while it is unknown
 * @param notice why a figure is unknown; empty when none is
 */
record PageFigures(
    String nameNode,
    String state,
    boolean safeMode,
    String at,
    @Nullable Health health,
    String notice,
    Stored stored,
    @Nullable Stripes stripes,
    @Nullable Waiting waiting,
    @Nullable Lease lease,
    List<Lease> beside,
    @Nullable Scrub scrub,
    Traffic traffic,
    List<Rack> racks,
    List<Node> nodes,
    @Nullable Policies policies,
    History.Series history) {
  /** The figures for readers who may not see the policies. */
  PageFigures withoutPolicies() {
    return new PageFigures(
        nameNode, state, safeMode, at, health, notice, stored, stripes, waiting, lease, beside,
        scrub, traffic, racks, nodes, null, history);
  }

  /**
   * Bytes stored by files.
   *
   * @param totalBytes bytes of all files with replicas and parity; null when unknown
   * @param replicatedBytes those of blocks in no stripe
   * @param dataBytes those of data blocks in stripes
   * @param savedBytes bytes of the data blocks with their former replicas, less their bytes with
   *     parity now
   */
  record Stored(
      @Nullable Long totalBytes,
      @Nullable Long replicatedBytes,
      long dataBytes,
      long parityBytes,
      long savedBytes,
      long stripes,
      List<Code> codes) {}

  /** The stripes of a code. */
  record Code(
      String code,
      long stripes,
      long dataBlocks,
      long dataBytes,
      long parityBlocks,
      long parityBytes) {}

  /**
   * Counts of stripes by state; see {@code StripeCounts}.
   *
   * @param lookedAtSeconds age of these counts
   */
  record Stripes(
      long healthy,
      long misplaced,
      long degraded,
      long atRisk,
      long lost,
      long unreadable,
      long thinned,
      long oldestDamageSeconds,
      long lookedAtSeconds) {}

  /**
   * Waiting calls and coordinators.
   *
   * @param calls number of clients' calls that wait for lost blocks
   * @param served whether a coordinator rebuilds these blocks
   * @param forLease the command that has waited longest for a lease; null for none
   * @param standingBy number of daemons on standby
   */
  record Waiting(long calls, boolean served, @Nullable String forLease, int standingBy) {}

  /**
   * A coordinator's lease.
   *
   * @param work null when the holder has not reported its work
   */
  record Lease(String holder, long seconds, @Nullable Work work) {}

  /**
   * The progress of work.
   *
   * @param cause reason for the work
   * @param total units of work; 0 for endless work
   * @param seconds duration of the phase so far
   * @param secondsLeft null while it cannot be estimated
   */
  record Work(
      String cause,
      String phase,
      long done,
      long total,
      long seconds,
      @Nullable Long secondsLeft) {}

  /**
   * The progress of the scrub of all stripes.
   *
   * @param percent progress of the present round
   * @param findings findings of the present round
   * @param lastFindings findings of the last complete round; null before there is one
   * @param lastUnread replicas that the last complete round could not read, whose state is unknown
   * @param oldestSeconds time within which every stripe was read; until the first round ends, the
   *     time since its beginning; null before it
   */
  record Scrub(
      long percent,
      long findings,
      @Nullable Long lastFindings,
      @Nullable Long lastUnread,
      @Nullable Long oldestSeconds) {}

  /**
   * Bytes that DataNodes moved since this NameNode started.
   *
   * @param seconds time since the start
   * @param causes bytes that Braid sent
   * @param clients bytes that HDFS clients read and wrote
   */
  record Traffic(long seconds, List<Sent> causes, Clients clients) {}

  /**
   * Bytes that Braid sent for a cause.
   *
   * @param links bytes by the name of the class of links
   */
  record Sent(String cause, long bytes, long bytesPerSecond, Map<String, Long> links) {}

  /** Bytes that HDFS clients read and wrote; rates are those of the last minute. */
  record Clients(
      long readBytes, long writtenBytes, long readBytesPerSecond, long writtenBytesPerSecond) {
    private Clients plus(Clients other) {
      return new Clients(
          readBytes + other.readBytes,
          writtenBytes + other.writtenBytes,
          readBytesPerSecond + other.readBytesPerSecond,
          writtenBytesPerSecond + other.writtenBytesPerSecond);
    }
  }

  /** The sum of the nodes of a rack. */
  record Rack(
      String rack,
      long nodes,
      long live,
      long suspect,
      long sentBytes,
      long sentBytesPerSecond,
      Clients clients) {
    /** The sum with another part of the rack. */
    Rack plus(Rack other) {
      return new Rack(
          rack,
          nodes + other.nodes,
          live + other.live,
          suspect + other.suspect,
          sentBytes + other.sentBytes,
          sentBytesPerSecond + other.sentBytesPerSecond,
          clients.plus(other.clients));
    }
  }

  /**
   * A DataNode.
   *
   * @param suspect it misses heartbeats
   */
  record Node(
      String host,
      String uuid,
      String rack,
      boolean live,
      boolean inService,
      boolean suspect,
      long sentBytes,
      long sentBytesPerSecond,
      List<CauseBytes> causes,
      Clients clients) {}

  /** Bytes sent for a cause. */
  record CauseBytes(String cause, long bytes) {}

  /**
   * The policies by which files are converted and restored.
   *
   * @param problem why the policies are unknown; empty when they are known
   * @param pauses the time in ISO 8601 until which work is paused, or {@code resumed}
   */
  record Policies(
      long revision,
      String user,
      String at,
      String change,
      String problem,
      List<Map<String, Object>> policies,
      Map<String, String> pauses) {}
}
