package org.braid.hdfs.api.view;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reports what is stored where.
 *
 * @param health the health of the converted files at or below the path, or of the whole cluster
 * @param safeMode whether the NameNode is in safe mode and refuses changes
 * @param rollingUpgrade whether a rolling upgrade of HDFS is not finalised: DataNodes keep the
 *     replicas that are dropped
 * @param coordination the coordinator of the cluster, and the waiting clients
 * @param nodes DataNodes, with the worker's state
 * @param files number of files by state; null for a whole cluster, whose files are not read
 * @param blocks number of blocks of a whole cluster; null for a part of it
 * @param logicalBytes bytes of the files' contents; for a whole cluster only of blocks in stripes
 * @param storedBytes bytes of all their replicas and of their parity
 * @param parityBytes bytes of parity among these
 * @param copiesOfParity the copies of parity of stripes that store each parity several times
 * @param mostLoaded the load of the most loaded node when all these files are read; of no node for
 *     a whole cluster
 * @param unreadable of a whole cluster, why the descriptions of parity files cannot be read, by
 *     path
 * @param hidden number of files and directories that are not counted because this user may not read
 *     them or may not see their stripes; null for a superuser, who sees all
 * @param throttle the limits of background work; null for a part of a cluster, or when they cannot
 *     be read
 * @param scrub the progress of the scrub of all stripes; null for a part of a cluster
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
   * @param lastFindings number of its findings
   * @param lastUnread number of replicas that it could not read, whose state is unknown
   * @param begun when the current round began, or when the next one begins
   * @param done the part of its stripes that it has read, 0 to 1
   * @param findings number of findings so far
   * @param oldestSeconds longest time for which a stripe was not read; before the end of the first
   *     round, the time since its begin; null before any round
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
   * The coordinator of the cluster, and whether clients without Braid wait for lost blocks.
   *
   * @param coordinator the holder of the lease; empty for none
   * @param deferring whether clients wait, by configuration
   * @param served whether a coordinator rebuilds the blocks that they wait for
   * @param expected whether they wait although no such coordinator is known: the NameNode has just
   *     become active, and expects one to connect
   * @param waiting number of waiting calls
   * @param waitSeconds longest wait of a call
   * @param heartbeats whether the NameNode receives the heartbeats of workers
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
   * @param live whether the NameNode counts it as live
   * @param worker the kernel of its worker, or why the worker does not answer
   * @param answers whether its worker answers
   */
  public record NodeStatus(
      String node, String rack, boolean live, boolean answers, String worker, long remaining) {}

  /**
   * Files by state.
   *
   * @param partly some blocks are in stripes, or replication is not yet persisted
   * @param striped files that HDFS itself stripes
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
   * @param readable the copies that can be read now; {@code repair} rebuilds the others
   */
  public record CopyCount(long promised, long readable) {}

  /**
   * The stripes of a code. A code with copies of parity has an entry of its own, and its copies are
   * counted.
   */
  public record CodeCount(String code, long stripes, long dataBlocks, long parityBlocks) {}

  /**
   * The load of a node when all blocks are read, each from a random replica.
   *
   * @param node the name of the node; empty when there are no blocks
   * @param share its share of the blocks, 0 to 1
   * @param even the share of each live node under an even load
   */
  public record NodeShare(String node, double share, double even) {}
}
