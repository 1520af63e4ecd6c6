package org.braid.placement.flow;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.braid.placement.Topology;
import org.jspecify.annotations.Nullable;

/**
 * A largest set of blocks that keep one replica each, on distinct nodes and within the capacities
 * of racks (EAR section 3.2, fig. 4(b); fig. 6 for target racks).
 *
 * <p>It is a maximum flow of the network source -> blocks -> nodes -> racks -> sink. The edge from
 * a rack to the sink carries c units, 0 when the rack is no target rack. With capacities of sites
 * the network is source -> blocks -> nodes -> racks -> sites -> sink.
 */
public final class FlowMatching implements FlowCheck {
  private static final int SOURCE = 0;
  private static final int SINK = 1;
  private static final int FIRST_BLOCK = 2;

  /** In place of a vertex: none. The number is that of the source, which is no node and no rack. */
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

  private FlowMatching(
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

  /** Makes the vertices. */
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

  /** The vertex behind the racks of a site: the site, or the sink. */
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
   * @param perRack for each rack the most replicas that it may keep
   */
  public static FlowMatching of(Topology topology, List<int[]> replicas, IntUnaryOperator perRack) {
    return new FlowMatching(topology, replicas, perRack, null);
  }

  /** Matches blocks to nodes within capacities of racks and of sites. */
  public static FlowMatching of(
      Topology topology, List<int[]> replicas, IntUnaryOperator perRack, IntUnaryOperator perSite) {
    return new FlowMatching(topology, replicas, perRack, perSite);
  }

  /** The node whose replica of a block is kept; -1 when the block keeps none. */
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
   * Whether one more block with a replica on this node enlarges the matching. This answers EAR's
   * flow test of a candidate layout without a new flow.
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

  /**
   * A block with several replicas enlarges the matching if and only if one of its replicas does.
   */
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
