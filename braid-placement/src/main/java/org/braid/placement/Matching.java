package org.braid.placement;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A largest choice of one replica a block such that the chosen replicas are on distinct nodes
 * within the limits of a stripe (EAR section 3.2, fig. 4(b); fig. 6 for target racks).
 *
 * <p>It is the maximum flow of the network source -> blocks -> nodes -> racks -> sink, where an
 * edge from a rack to the sink carries c units and exists for target racks only. With limits of
 * sites it goes on from racks to sites, and from there to the sink.
 */
public final class Matching implements FlowTest {
  private static final int SOURCE = 0;
  private static final int SINK = 1;
  private static final int FIRST_BLOCK = 2;

  /** No vertex: source and sink stand for no node and no rack. */
  private static final int NONE = 0;

  private final Topology topology;
  private final IntUnaryOperator perRack;
  private final @Nullable IntUnaryOperator perSite;
  private final int[] nodeOf;

  // Only nodes and racks that hold a replica get a vertex: stripes are small, clusters are not.
  private final int[] vertexOf;
  private final int[] vertexOfRack;
  private final int[] vertexOfSite;

  private final int size;
  private final boolean[] reachesSink;

  private Matching(
      Topology topology,
      List<int[]> replicas,
      IntUnaryOperator perRack,
      @Nullable IntUnaryOperator perSite) {
    this.topology = topology;
    this.perRack = perRack;
    this.perSite = perSite;
    this.nodeOf = new int[replicas.size()];
    this.vertexOf = new int[topology.nodes()];
    this.vertexOfRack = new int[topology.racks()];
    this.vertexOfSite = new int[topology.sites()];
    FlowNetwork network = network(replicas);
    int[][] edgeOf = link(network, replicas);
    size = (int) network.maxFlow(SOURCE, SINK);
    Arrays.fill(nodeOf, -1);
    for (int block = 0; block < edgeOf.length; block++) {
      for (int i = 0; i < edgeOf[block].length; i++) {
        if (network.flow(edgeOf[block][i]) > 0) {
          nodeOf[block] = replicas.get(block)[i];
        }
      }
    }
    reachesSink = network.reachesSink();
  }

  /** All vertices, without edges. */
  private FlowNetwork network(List<int[]> replicas) {
    int vertices = FIRST_BLOCK + replicas.size();
    int edges = vertices;
    for (int[] nodes : replicas) {
      edges += nodes.length;
      for (int node : nodes) {
        if (vertexOf[node] == NONE) {
          vertexOf[node] = vertices++;
          edges++;
          int rack = topology.rackOf(node);
          if (vertexOfRack[rack] == NONE) {
            vertexOfRack[rack] = vertices++;
            edges++;
            int site = topology.siteOfRack(rack);
            if (perSite != null && vertexOfSite[site] == NONE) {
              vertexOfSite[site] = vertices++;
              edges++;
            }
          }
        }
      }
    }
    return new FlowNetwork(vertices, edges);
  }

  /** Adds the edges and returns those between blocks and nodes. */
  private int[][] link(FlowNetwork network, List<int[]> replicas) {
    boolean[] linked = new boolean[network.vertices()];
    int[][] edgeOf = new int[replicas.size()][];
    for (int block = 0; block < edgeOf.length; block++) {
      network.addEdge(SOURCE, FIRST_BLOCK + block, 1);
      int[] nodes = replicas.get(block);
      edgeOf[block] = new int[nodes.length];
      for (int i = 0; i < nodes.length; i++) {
        int vertex = vertexOf[nodes[i]];
        edgeOf[block][i] = network.addEdge(FIRST_BLOCK + block, vertex, 1);
        if (!linked[vertex]) {
          linked[vertex] = true;
          int rack = topology.rackOf(nodes[i]);
          int rackVertex = vertexOfRack[rack];
          if (!linked[rackVertex]) {
            linked[rackVertex] = true;
            int next = linkSite(network, linked, topology.siteOfRack(rack));
            network.addEdge(rackVertex, next, Math.max(0, perRack.applyAsInt(rack)));
          }
          network.addEdge(vertex, rackVertex, 1);
        }
      }
    }
    return edgeOf;
  }

  /** Where racks of a site lead to. */
  private int linkSite(FlowNetwork network, boolean[] linked, int site) {
    if (perSite == null) {
      return SINK;
    }
    int vertex = vertexOfSite[site];
    if (!linked[vertex]) {
      linked[vertex] = true;
      network.addEdge(vertex, SINK, Math.max(0, perSite.applyAsInt(site)));
    }
    return vertex;
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
    return new Matching(topology, replicas, perRack, null);
  }

  /** Matches blocks to nodes with capacities of racks and of sites. */
  public static Matching of(
      Topology topology, List<int[]> replicas, IntUnaryOperator perRack, IntUnaryOperator perSite) {
    return new Matching(topology, replicas, perRack, perSite);
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
    int rack = topology.rackOf(node);
    int vertex = vertexOf[node] == NONE ? vertexOfRack[rack] : vertexOf[node];
    if (vertex != NONE) {
      return reachesSink[vertex];
    }
    return perRack.applyAsInt(rack) > 0 && siteAccepts(topology.siteOfRack(rack));
  }

  private boolean siteAccepts(int site) {
    if (perSite == null) {
      return true;
    }
    int vertex = vertexOfSite[site];
    return vertex == NONE ? perSite.applyAsInt(site) > 0 : reachesSink[vertex];
  }

  /** A block with several replicas makes the matching larger if and only if one of them does. */
  @Override
  public boolean acceptsAny(int[] nodes) {
    for (int node : nodes) {
      if (accepts(node)) {
        return true;
      }
    }
    return false;
  }
}
