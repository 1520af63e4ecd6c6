package org.braid.hdfs.api.view;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is stored where.
 *
 * @param health how safe converted files are: of a path those there, of the whole cluster all
 * @param safeMode whether the NameNode is in safe mode, so that nothing can be changed
 * @param rollingUpgrade whether a rolling upgrade of HDFS is not finalised: DataNodes keep the
 *     replicas that are dropped
 * @param coordination who works on the cluster, and who waits
 * @param nodes DataNodes, with the worker's state
 * @param files how many files, by state; null for a whole cluster, whose files are not looked at
 * @param blocks how many blocks a whole cluster has; null for a part of it
 * @param logicalBytes bytes of the files' contents; of a whole cluster, of those blocks only that
 *     are in stripes
 * @param storedBytes bytes of all their replicas, and of all parity for them
 * @param parityBytes of these, parity
 * @param copiesOfParity of stripes that store each parity several times
 * @param mostLoaded what readers of all these files at once ask of the most loaded node; of none
 *     for a whole cluster
 * @param unreadable of a whole cluster, why the descriptions of parity files cannot be read, by
 *     path
 * @param hidden files and directories that do not count, as this user may not read them or may not
 *     be told of their stripes; null for a superuser, who sees all
 * @param throttle what work in the background may use; null for a part of a cluster, or where it
 *     cannot be read
 * @param scrub how far the scrub of all stripes is; null for a part of a cluster
 */
public record StatusReport(
    Health health,
    boolean safeMode,
    boolean rollingUpgrade,
    Coordination coordination,
    List<NodeStatus> nodes,
    @Nullable FileCounts files,
    @Nullable BlockCounts blocks,
    List<CodeCount> codes,
    long logicalBytes,
    long storedBytes,
    long parityBytes,
    CopyCount copiesOfParity,
    NodeShare mostLoaded,
    Map<String, String> unreadable,
    @Nullable Integer hidden,
    @Nullable ThrottleView throttle,
    @Nullable Scrub scrub) {
  public StatusReport {
    unreadable = Map.copyOf(unreadable);
    nodes = List.copyOf(nodes);
    codes = List.copyOf(codes);
  }

  /**
   * The scrub of all stripes. Times are in ISO 8601, null where there is none.
   *
   * @param lastBegun when the last round that ended began
   * @param lastEnded when it ended
   * @param lastFindings what it found
   * @param lastUnread replicas that it could not read, so that nothing is known of them
   * @param begun when the present round began, or the next one is to begin
   * @param done which part of its stripes it has read, 0 to 1
   * @param findings what it has found so far
   * @param oldestSeconds for how long a stripe was left unread at most; before a round has ended,
   *     for how long the first one goes on; null: none has begun
   * @param pausedUntil until when it is paused, or {@code resumed} when the pause has no end
   */
  public record Scrub(
      @Nullable String lastBegun,
      @Nullable String lastEnded,
      long lastFindings,
      long lastUnread,
      @Nullable String begun,
      double done,
      long findings,
      @Nullable Long oldestSeconds,
      @Nullable String pausedUntil) {}

  /**
   * Who works on the cluster, and whether clients without Braid wait for lost blocks.
   *
   * @param coordinator who holds the lease; empty: nobody
   * @param deferring whether they wait, by configuration
   * @param served whether anybody rebuilds what they wait for
   * @param expected whether they wait although nobody is known to: the NameNode has just become
   *     active, and a coordinator is expected to turn to it
   * @param waiting calls that wait now
   * @param waitSeconds how long one waits at most
   * @param heartbeats whether workers' heartbeats are heard
   */
  public record Coordination(
      String coordinator,
      boolean deferring,
      boolean served,
      boolean expected,
      int waiting,
      double waitSeconds,
      boolean heartbeats) {}

  /**
   * A DataNode.
   *
   * @param live as the NameNode sees it
   * @param worker the worker's kernel, or why it does not answer
   * @param answers whether its worker answers
   */
  public record NodeStatus(
      String node, String rack, boolean live, boolean answers, String worker, long remaining) {}

  /**
   * Files by state.
   *
   * @param partly some blocks are in stripes, or replication is not yet persisted
   * @param striped HDFS stripes them itself
   */
  public record FileCounts(int replicated, int converted, int partly, int striped) {}

  /**
   * Blocks of a whole cluster.
   *
   * @param all blocks, parity included
   * @param encoded data blocks in stripes
   * @param parity parity blocks
   * @param storedBytes bytes of all files times their replication, parity included
   * @param replicatedBytes bytes that the data blocks in stripes took before conversion
   */
  public record BlockCounts(
      long all, long encoded, long parity, long storedBytes, long replicatedBytes) {}

  /**
   * Copies of parity blocks that are stored more than once.
   *
   * @param promised all of them
   * @param readable those that can be read now; {@code repair} makes the others again
   */
  public record CopyCount(long promised, long readable) {}

  /** Stripes of a code; one with copies of parity is named apart, and its copies count. */
  public record CodeCount(String code, long stripes, long dataBlocks, long parityBlocks) {}

  /**
   * What a node serves of the blocks that readers of all files read, each from any of its replicas.
   *
   * @param node its name, empty when there is no block
   * @param share of the blocks, 0 to 1
   * @param even the share of each live node if all served alike
   */
  public record NodeShare(String node, double share, double even) {}
}
