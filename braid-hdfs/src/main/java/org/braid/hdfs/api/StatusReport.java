package org.braid.hdfs.api;

import java.util.List;

/**
 * What is stored where.
 *
 * @param safeMode whether the NameNode is in safe mode, so that nothing can be changed
 * @param coordination who works on the cluster, and who waits
 * @param nodes DataNodes, with the worker's state
 * @param files how many files, by state
 * @param logicalBytes bytes of the files' contents
 * @param storedBytes bytes of all replicas, and of all parity for these files
 * @param parityBytes of these, parity
 * @param copiesOfParity of stripes that store each parity several times
 * @param mostLoaded what readers of all these files at once ask of the most loaded node
 */
public record StatusReport(
    boolean safeMode,
    Coordination coordination,
    List<NodeStatus> nodes,
    FileCounts files,
    List<CodeCount> codes,
    long logicalBytes,
    long storedBytes,
    long parityBytes,
    CopyCount copiesOfParity,
    NodeShare mostLoaded) {
  public StatusReport {
    nodes = List.copyOf(nodes);
    codes = List.copyOf(codes);
  }

  /**
   * Who works on the cluster, and whether clients without Braid wait for lost blocks.
   *
   * @param coordinator who holds the lease; empty: nobody
   * @param deferring whether they wait, by configuration
   * @param served whether anybody rebuilds what they wait for
   * @param waiting calls that wait now
   * @param waitSeconds how long one waits at most
   * @param heartbeats whether workers' heartbeats are heard
   */
  public record Coordination(
      String coordinator,
      boolean deferring,
      boolean served,
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

  /** Files by state; partly: some blocks are in stripes, or replication is not yet persisted. */
  public record FileCounts(int replicated, int converted, int partly) {}

  /**
   * Copies of parity blocks that are stored more than once.
   *
   * @param promised all of them
   * @param readable those that can be read now; {@code repair} makes the others again
   */
  public record CopyCount(int promised, int readable) {}

  /** Stripes of a code; one with copies of parity is named apart, and its copies count. */
  public record CodeCount(String code, int stripes, int dataBlocks, int parityBlocks) {}

  /**
   * What a node serves of the blocks that readers of all files read, each from any of its replicas.
   *
   * @param node its name, empty when there is no block
   * @param share of the blocks, 0 to 1
   * @param even the share of each live node if all served alike
   */
  public record NodeShare(String node, double share, double even) {}
}
