package org.braid.placement;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * A largest choice of one replica a block such that the chosen replicas are on distinct nodes
 * within the limits of a stripe (EAR section 3.2, fig. 4(b); fig. 6 for target racks).
 *
 * <p>It is the maximum flow of the network source -> blocks -> nodes -> racks -> sink, where an
 * edge from a rack to the sink carries c units and exists for target racks only.
 */
public final class Matching implements FlowTest {
  private static final int SOURCE = 0;
  private static final int SINK = 1;
  private static final int FIRST_RACK = 2;

  private final Topology topology;
  private final int[] nodeOf;
  private final int size;
  private final int[] vertexOf;
  private final boolean[] reachesSink;

  private Matching(
      Topology topology, int[] nodeOf, int size, int[] vertexOf, boolean[] reachesSink) {
    this.topology = topology;
    this.nodeOf = nodeOf;
    this.size = size;
    this.vertexOf = vertexOf;
    this.reachesSink = reachesSink;
  }

  /**
   * Matches blocks to nodes.
   *
   * @param replicas for each block the nodes that hold a replica of it, possibly none
   */
  public static Matching of(Topology topology, List<int[]> replicas, StripeLimits limits) {
    return of(topology, replicas, rack -> limits.allows(rack) ? limits.perRack() : 0);
  }

  /** Matches blocks to nodes with a capacity of its own for each rack. */
  public static Matching of(Topology topology, List<int[]> replicas, IntUnaryOperator perRack) {
    int firstBlock = FIRST_RACK + topology.racks();
    int vertices = firstBlock + replicas.size();
    // Only nodes that hold a replica get a vertex: stripes are small, clusters are not.
    int[] vertexOf = new int[topology.nodes()];
    Arrays.fill(vertexOf, -1);
    for (int[] nodes : replicas) {
      for (int node : nodes) {
        if (vertexOf[node] < 0) {
          vertexOf[node] = vertices++;
        }
      }
    }
    FlowNetwork network = new FlowNetwork(vertices);
    for (int rack = 0; rack < topology.racks(); rack++) {
      int capacity = perRack.applyAsInt(rack);
      if (capacity > 0) {
        network.addEdge(FIRST_RACK + rack, SINK, capacity);
      }
    }
    boolean[] linked = new boolean[vertices];
    int[][] edgeOf = new int[replicas.size()][];
    for (int block = 0; block < edgeOf.length; block++) {
      network.addEdge(SOURCE, firstBlock + block, 1);
      int[] nodes = replicas.get(block);
      edgeOf[block] = new int[nodes.length];
      for (int i = 0; i < nodes.length; i++) {
        int vertex = vertexOf[nodes[i]];
        edgeOf[block][i] = network.addEdge(firstBlock + block, vertex, 1);
        if (!linked[vertex]) {
          linked[vertex] = true;
          network.addEdge(vertex, FIRST_RACK + topology.rackOf(nodes[i]), 1);
        }
      }
    }
    int size = (int) network.maxFlow(SOURCE, SINK);
    int[] nodeOf = new int[edgeOf.length];
    Arrays.fill(nodeOf, -1);
    for (int block = 0; block < edgeOf.length; block++) {
      for (int i = 0; i < edgeOf[block].length; i++) {
        if (network.flow(edgeOf[block][i]) > 0) {
          nodeOf[block] = replicas.get(block)[i];
        }
      }
    }
    return new Matching(topology, nodeOf, size, vertexOf, network.reachesSink());
  }

  /** The node whose replica of a block is kept, -1 when none can be. */
  public int nodeOf(int block) {
    return nodeOf[block];
  }

  /** Number of blocks that keep a replica. */
  @Override
  public int size() {
    return size;
  }

  /** Whether every block keeps a replica. */
  public boolean isFull() {
    return size == nodeOf.length;
  }

  /**
   * Whether one more block with a replica on this node would make the matching larger by one; this
   * stands for the flow test of a candidate layout without a new flow.
   */
  @Override
  public boolean accepts(int node) {
    int vertex = vertexOf[node];
    return reachesSink[vertex >= 0 ? vertex : FIRST_RACK + topology.rackOf(node)];
  }

  /** A block with several replicas makes the matching larger if and only if one of them does. */
  @Override
  public boolean acceptsAny(int[] nodes) {
    return Arrays.stream(nodes).anyMatch(this::accepts);
  }
}
