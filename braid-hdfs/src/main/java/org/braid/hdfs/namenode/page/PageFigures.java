package org.braid.hdfs.namenode.page;

import java.util.List;
import java.util.Map;
import org.braid.hdfs.api.view.Health;
import org.jspecify.annotations.Nullable;

/**
 * All that the page shows. What this NameNode cannot know, as on a standby, is null.
 *
 * @param nameNode its address
 * @param state {@code active}, {@code standby} or {@code observer}
 * @param at when, in ISO form
 * @param health null while it is not known
 * @param notice why something is not known; empty when all is
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
  /** The same for whoever may not read the policies. */
  PageFigures withoutPolicies() {
    return new PageFigures(
        nameNode, state, safeMode, at, health, notice, stored, stripes, waiting, lease, beside,
        scrub, traffic, racks, nodes, null, history);
  }

  /**
   * What files take.
   *
   * @param totalBytes of all files with their replicas, parity included; null when it is not known
   * @param replicatedBytes of that, of blocks that are in no stripe
   * @param dataBytes data blocks in stripes
   * @param savedBytes what these took with their replicas, less what they and their parity take
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
   * How stripes are; see {@code StripeCounts}.
   *
   * @param lookedAtSeconds how old this is
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
   * Who waits.
   *
   * @param calls of clients that wait for lost blocks
   * @param served whether somebody rebuilds what they wait for
   * @param forLease who waits for the lease; null: nobody
   * @param standingBy daemons that wait for the end of whoever holds it
   */
  record Waiting(long calls, boolean served, @Nullable String forLease, int standingBy) {}

  /**
   * Who may change things.
   *
   * @param work null when the holder has not said what it does
   */
  record Lease(String holder, long seconds, @Nullable Work work) {}

  /**
   * How far work is.
   *
   * @param cause why it is done
   * @param total 0: it has no end
   * @param seconds for how long this phase has lasted
   * @param secondsLeft null while that cannot be told
   */
  record Work(
      String cause,
      String phase,
      long done,
      long total,
      long seconds,
      @Nullable Long secondsLeft) {}

  /**
   * How far the scrub of all stripes is.
   *
   * @param percent of the present round
   * @param findings of the present round
   * @param lastFindings of the last one that ended; null: none has
   * @param lastUnread replicas that this could not read, so that nothing is known of them
   * @param oldestSeconds within which time every stripe was read; before a round has ended, since
   *     when the first one goes on; null: none has begun
   */
  record Scrub(
      long percent,
      long findings,
      @Nullable Long lastFindings,
      @Nullable Long lastUnread,
      @Nullable Long oldestSeconds) {}

  /**
   * What DataNodes moved since this NameNode started.
   *
   * @param seconds since when
   * @param causes what Braid sent
   * @param clients what HDFS's clients read and wrote
   */
  record Traffic(long seconds, List<Sent> causes, Clients clients) {}

  /**
   * What Braid sent for a cause.
   *
   * @param links bytes by the word of the class of links
   */
  record Sent(String cause, long bytes, long bytesPerSecond, Map<String, Long> links) {}

  /** What clients moved; a second: over the last minute. */
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

  /** Nodes of a rack together. */
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
   * The rules by which files are converted and restored.
   *
   * @param problem why they are not known; empty when they are
   * @param pauses until when work is paused: a moment in ISO 8601, or {@code resumed}
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
