package org.braid.hdfs.api;

import java.util.List;

/**
 * What is stored where.
 *
 * @param nodes DataNodes, with the worker's state
 * @param files how many files, by state
 * @param logicalBytes bytes of the files' contents
 * @param storedBytes bytes of all replicas, and of all parity for these files
 * @param parityBytes of these, parity
 */
public record StatusReport(
    List<NodeStatus> nodes,
    FileCounts files,
    List<CodeCount> codes,
    long logicalBytes,
    long storedBytes,
    long parityBytes) {
  public StatusReport {
    nodes = List.copyOf(nodes);
    codes = List.copyOf(codes);
  }

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

  /** Stripes of a code. */
  public record CodeCount(String code, int stripes, int dataBlocks, int parityBlocks) {}
}
