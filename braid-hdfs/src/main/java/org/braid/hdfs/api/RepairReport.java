package org.braid.hdfs.api;

import java.io.Serializable;
import java.util.List;

/**
 * What a repair did. Of many blocks the lists are {@link SpilledList}s.
 *
 * @param shape the plans' shape
 * @param repaired blocks rebuilt, verified and published
 * @param unrepairable blocks that cannot be rebuilt now, and readable misplaced ones without a
 *     place to move to
 * @param settled blocks that needed no rebuilding because a node with a good copy came back
 * @param postponed stripes that were left alone because a silent node may come back
 * @param reencoded stripes that had lost data blocks to deletions or changes, whose other blocks
 *     were encoded anew or replicated again
 * @param parityLeft parity files that are not needed and could not be deleted, with the reason
 * @param traffic of the rebuilding
 * @param phases the phases of the nodes that rebuilt, the mean of all plans
 * @param seconds wall time
 * @param examples plans of some of the stripes, for drawing
 * @param spans when each stripe was rebuilt
 * @param expected the planned traffic of all attempts
 */
public record RepairReport(
    String shape,
    List<Repaired> repaired,
    List<Unrepairable> unrepairable,
    int settled,
    int postponed,
    int reencoded,
    List<ConvertReport.Skipped> parityLeft,
    Traffic traffic,
    Phases phases,
    double seconds,
    List<PlanView> examples,
    List<Span> spans,
    RepairPreview.Expected expected) {
  /** The same with a number of stripes encoded anew, and further parity that stays. */
  public RepairReport withReencoded(int stripes, List<ConvertReport.Skipped> left) {
    List<ConvertReport.Skipped> all = new SpilledList<>();
    all.addAll(parityLeft);
    all.addAll(left);
    return new RepairReport(
        shape,
        repaired,
        unrepairable,
        settled,
        postponed,
        stripes,
        all,
        traffic,
        phases,
        seconds,
        examples,
        spans,
        expected);
  }

  public RepairReport {
    examples = List.copyOf(examples);
  }

  /**
   * The phases of a node that rebuilds a block. Reading overlaps with computing, so that the repair
   * takes the sum of decode and wait time (Geo-MXOR section VII-A).
   *
   * @param readSeconds time until the last input arrived
   * @param decodeSeconds CPU time of the computing thread
   * @param waitSeconds time of waiting for inputs
   */
  public record Phases(double readSeconds, double decodeSeconds, double waitSeconds) {
    /** Nothing was rebuilt. */
    public static final Phases NONE = new Phases(0, 0, 0);
  }

  /**
   * A rebuilt block.
   *
   * @param path the file it belongs to, or the parity file
   * @param block its position in the stripe
   * @param name as HDFS prints it, {@code blk_...}
   * @param node the node that stores it now
   */
  public record Repaired(String path, String stripe, int block, String name, String node)
      implements Serializable {}

  /** A block that cannot be rebuilt, or moved to an allowed place, with the numbers. */
  public record Unrepairable(String path, String stripe, int block, String name, String reason)
      implements Serializable {}

  /**
   * A plan as a graph.
   *
   * @param stripe the stripe's id
   * @param shape the plan's shape
   * @param nodes the nodes of the plan, with their racks and the blocks that each reads or stores
   * @param edges the transfers between nodes
   */
  public record PlanView(String stripe, String shape, List<PlanNode> nodes, List<PlanEdge> edges) {
    public PlanView {
      nodes = List.copyOf(nodes);
      edges = List.copyOf(edges);
    }
  }

  /**
   * A node of a plan.
   *
   * @param reads positions of stripe blocks it reads
   * @param stores positions of stripe blocks it stores
   */
  public record PlanNode(String node, String rack, List<Integer> reads, List<Integer> stores) {
    public PlanNode {
      reads = List.copyOf(reads);
      stores = List.copyOf(stores);
    }
  }

  /** Bytes that one node sent to another. */
  public record PlanEdge(String from, String to, long bytes) {}
}
