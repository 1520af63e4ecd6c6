package org.braid.placement.flow;

import java.util.Arrays;

/**
 * A directed network with integer capacities that keeps a maximum flow while edges are added
 * (Dinic's algorithm).
 *
 * <p>Vertices are numbered from 0, edges from 0 in the order of {@link #addEdge}. Not thread-safe.
 */
public final class FlowNetwork {
  private static final int NONE = -1;

  // Edge e is the pair of arcs 2e (forward) and 2e + 1 (backward); head and next chain the arcs
  // that leave a vertex, so that no object is made for an edge.
  private final int[] head;
  private int[] next;
  private int[] to;
  private int[] residual;
  private int arcs;
  private int source = NONE;
  private int sink = NONE;
  private long total;

  /** A network without edges. */
  public FlowNetwork(int vertices) {
    this(vertices, 16);
  }

  /**
   * A network without edges.
   *
   * @param edges the expected number of edges; more may be added
   */
  FlowNetwork(int vertices, int edges) {
    if (vertices < 2) {
      throw new IllegalArgumentException(
          "a flow network needs a source and a sink, but has " + vertices + " vertices");
    }
    head = new int[vertices];
    Arrays.fill(head, NONE);
    next = new int[2 * Math.max(1, edges)];
    to = new int[next.length];
    residual = new int[next.length];
  }

  /** Number of vertices. */
  public int vertices() {
    return head.length;
  }

  /** Number of edges. */
  public int edges() {
    return arcs / 2;
  }

  /**
   * Adds an edge, keeps the present flow, and returns the number of the edge.
   *
   * @param capacity units of flow that the edge can carry, 0 or more
   */
  public int addEdge(int from, int to, int capacity) {
    requireVertex(from);
    requireVertex(to);
    if (capacity < 0) {
      throw new IllegalArgumentException(
          "edge " + from + " -> " + to + " has capacity " + capacity + ", needed is 0 or more");
    }
    int edge = arcs / 2;
    addArc(from, to, capacity);
    addArc(to, from, 0);
    return edge;
  }

  private void addArc(int from, int target, int capacity) {
    if (arcs == to.length) {
      next = Arrays.copyOf(next, 2 * arcs);
      to = Arrays.copyOf(to, 2 * arcs);
      residual = Arrays.copyOf(residual, 2 * arcs);
    }
    to[arcs] = target;
    residual[arcs] = capacity;
    next[arcs] = head[from];
    head[from] = arcs++;
  }

  /**
   * Raises the present flow to a maximum and returns its value. A call after more edges were added
   * continues from the present flow and names the same source and sink.
   */
  public long maxFlow(int source, int sink) {
    requireVertex(source);
    requireVertex(sink);
    if (source == sink) {
      throw new IllegalArgumentException("vertex " + source + " is both source and sink");
    }
    if (this.source != NONE && (this.source != source || this.sink != sink)) {
      throw new IllegalArgumentException(
          "the present flow goes from %d to %d, it cannot go on from %d to %d"
              .formatted(this.source, this.sink, source, sink));
    }
    this.source = source;
    this.sink = sink;
    int[] level = new int[head.length];
    int[] current = new int[head.length];
    int[] path = new int[head.length];
    while (levels(level, path)) {
      System.arraycopy(head, 0, current, 0, head.length);
      for (int pushed = push(level, current, path);
          pushed > 0;
          pushed = push(level, current, path)) {
        total += pushed;
      }
    }
    return total;
  }

  /**
   * Numbers the vertices by their distance from the source in the residual network; false when the
   * sink cannot be reached.
   */
  private boolean levels(int[] level, int[] queue) {
    Arrays.fill(level, NONE);
    level[source] = 0;
    queue[0] = source;
    int size = 1;
    for (int i = 0; i < size && level[sink] == NONE; i++) {
      for (int arc = head[queue[i]]; arc != NONE; arc = next[arc]) {
        if (residual[arc] > 0 && level[to[arc]] == NONE) {
          level[to[arc]] = level[queue[i]] + 1;
          queue[size++] = to[arc];
        }
      }
    }
    return level[sink] != NONE;
  }

  /** Fills one shortest path and returns its units; 0 when no shortest path is left. */
  private int push(int[] level, int[] current, int[] path) {
    int depth = 0;
    int vertex = source;
    while (vertex != sink) {
      int arc = current[vertex];
      if (arc == NONE) {
        if (vertex == source) {
          return 0;
        }
        level[vertex] = NONE; // a dead end for the rest of this phase
        vertex = to[path[--depth] ^ 1];
      } else if (residual[arc] > 0 && level[to[arc]] == level[vertex] + 1) {
        path[depth++] = arc;
        vertex = to[arc];
      } else {
        current[vertex] = next[arc];
      }
    }
    int units = Integer.MAX_VALUE;
    for (int i = 0; i < depth; i++) {
      units = Math.min(units, residual[path[i]]);
    }
    for (int i = 0; i < depth; i++) {
      residual[path[i]] -= units;
      residual[path[i] ^ 1] += units;
    }
    return units;
  }

  /** Units that the present flow sends over an edge. */
  public int flow(int edge) {
    if (edge < 0 || edge >= edges()) {
      throw new IllegalArgumentException("edge " + edge + " of " + edges() + " edges");
    }
    return residual[2 * edge + 1];
  }

  /**
   * For each vertex, whether it is on the source's side of the minimum cut that {@link #maxFlow}
   * found. The edges that leave this side are full and limit the flow.
   */
  public boolean[] sourceSide() {
    requireFlow();
    return search(source, 0);
  }

  /**
   * For each vertex, whether one more unit can flow from it to the sink. An edge of capacity 1 from
   * the source raises the maximum flow by 1 exactly when it leads to such a vertex.
   */
  public boolean[] reachesSink() {
    requireFlow();
    return search(sink, 1);
  }

  /**
   * The vertices reached from the start along residual arcs or, with {@code against} 1, against
   * them.
   */
  private boolean[] search(int start, int against) {
    boolean[] seen = new boolean[head.length];
    int[] queue = new int[head.length];
    seen[start] = true;
    queue[0] = start;
    int size = 1;
    for (int i = 0; i < size; i++) {
      for (int arc = head[queue[i]]; arc != NONE; arc = next[arc]) {
        if (residual[arc ^ against] > 0 && !seen[to[arc]]) {
          seen[to[arc]] = true;
          queue[size++] = to[arc];
        }
      }
    }
    return seen;
  }

  private void requireVertex(int vertex) {
    if (vertex < 0 || vertex >= head.length) {
      throw new IllegalArgumentException("vertex " + vertex + " of " + head.length + " vertices");
    }
  }

  private void requireFlow() {
    if (source == NONE) {
      throw new IllegalStateException("no flow yet: call maxFlow first");
    }
  }
}
