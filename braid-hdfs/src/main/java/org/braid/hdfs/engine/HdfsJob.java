package org.braid.hdfs.engine;

import java.util.Optional;
import java.util.function.Function;
import org.braid.code.SubBlock;
import org.braid.engine.block.CellLayout;
import org.braid.hdfs.dispatch.Worker;
import org.braid.hdfs.rpc.ReadSource;
import org.braid.hdfs.rpc.StoreTarget;
import org.braid.plan.Plan;

/**
 * A plan, and the meaning of its nodes and values on HDFS.
 *
 * @param nodes the DataNodes of the plan's nodes
 * @param layout how blocks consist of the plan's sub-blocks
 * @param length bytes of each value
 * @param slice bytes of a slice
 * @param reads the replica range behind each sub-block that a worker reads
 * @param stores the destination of each sub-block that a worker stores
 * @param local the node that stands for this process; empty when all are workers
 */
public record HdfsJob(
    Plan plan,
    Nodes nodes,
    CellLayout layout,
    long length,
    int slice,
    Function<SubBlock, ReadSource> reads,
    Function<SubBlock, StoreTarget> stores,
    Optional<LocalNode> local) {
  /** Maps the nodes of a plan to workers. */
  public interface Nodes {
    /** The worker of a node; empty when it does not answer. */
    Optional<Worker> worker(int node);

    /** The node's name in messages. */
    String name(int node);

    /** The node's network location; empty when it is not known. */
    default String location(int node) {
      return worker(node).map(found -> found.node().rack()).orElse("");
    }
  }

  /** A plan all of whose nodes are workers. */
  public HdfsJob(
      Plan plan,
      Nodes nodes,
      CellLayout layout,
      long length,
      int slice,
      Function<SubBlock, ReadSource> reads,
      Function<SubBlock, StoreTarget> stores) {
    this(plan, nodes, layout, length, slice, reads, stores, Optional.empty());
  }

  /** Whether a node is this process. */
  boolean isLocal(int node) {
    return local.isPresent() && local.get().node() == node;
  }

  /** The network location of a node; empty when it is not known. */
  String location(int node) {
    return isLocal(node) ? local.orElseThrow().location() : nodes.location(node);
  }

  /** The worker of a node that is known to answer. */
  Worker worker(int node) {
    return nodes
        .worker(node)
        .orElseThrow(() -> new IllegalStateException("node " + nodes.name(node) + " is no worker"));
  }
}
