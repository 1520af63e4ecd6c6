package org.braid.placement.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.braid.testing.Seeds;
import org.jgrapht.alg.flow.PushRelabelMFImpl;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleDirectedWeightedGraph;
import org.junit.jupiter.api.Test;

class FlowNetworkTest {
  private record Edge(int from, int to, int capacity) {}

  @Test
  void agreesWithJGraphTWhileEdgesAreAdded() {
    Random random = Seeds.random(FlowNetworkTest.class);
    for (int round = 0; round < 400; round++) {
      int vertices = 2 + random.nextInt(12);
      FlowNetwork network = new FlowNetwork(vertices);
      List<Edge> edges = new ArrayList<>();
      for (int batch = 0; batch < 3; batch++) {
        int more = random.nextInt(2 * vertices);
        for (int i = 0; i < more; i++) {
          Edge edge =
              new Edge(random.nextInt(vertices), random.nextInt(vertices), random.nextInt(6));
          assertEquals(edges.size(), network.addEdge(edge.from, edge.to, edge.capacity));
          edges.add(edge);
        }
        long flow = network.maxFlow(0, vertices - 1);
        assertEquals(oracle(vertices, edges), flow, "round " + round + ": " + edges);
        assertFlow(network, edges, flow);
        assertMinimumCut(network, edges, flow);
        assertReach(network, edges, flow);
      }
    }
  }

  private static long oracle(int vertices, List<Edge> edges) {
    SimpleDirectedWeightedGraph<Integer, DefaultWeightedEdge> graph =
        new SimpleDirectedWeightedGraph<>(DefaultWeightedEdge.class);
    for (int v = 0; v < vertices; v++) {
      graph.addVertex(v);
    }
    for (Edge edge : edges) {
      if (edge.from != edge.to) { // the oracle knows neither loops nor parallel edges
        DefaultWeightedEdge present = graph.getEdge(edge.from, edge.to);
        if (present == null) {
          graph.setEdgeWeight(graph.addEdge(edge.from, edge.to), edge.capacity);
        } else {
          graph.setEdgeWeight(present, graph.getEdgeWeight(present) + edge.capacity);
        }
      }
    }
    return Math.round(new PushRelabelMFImpl<>(graph).calculateMaximumFlow(0, vertices - 1));
  }

  private static void assertFlow(FlowNetwork network, List<Edge> edges, long flow) {
    long[] excess = new long[network.vertices()];
    for (int e = 0; e < edges.size(); e++) {
      int units = network.flow(e);
      assertTrue(units >= 0 && units <= edges.get(e).capacity, "edge " + e + " carries " + units);
      excess[edges.get(e).from] -= units;
      excess[edges.get(e).to] += units;
    }
    assertEquals(-flow, excess[0]);
    assertEquals(flow, excess[excess.length - 1]);
    for (int v = 1; v < excess.length - 1; v++) {
      assertEquals(0, excess[v], "vertex " + v);
    }
  }

  private static void assertMinimumCut(FlowNetwork network, List<Edge> edges, long flow) {
    boolean[] source = network.sourceSide();
    assertTrue(source[0]);
    assertFalse(source[source.length - 1]);
    long capacity = 0;
    for (Edge edge : edges) {
      capacity += source[edge.from] && !source[edge.to] ? edge.capacity : 0;
    }
    assertEquals(flow, capacity);
  }

  /** One more edge from the source raises the flow just when its end reaches the sink. */
  private static void assertReach(FlowNetwork network, List<Edge> edges, long flow) {
    boolean[] reaches = network.reachesSink();
    for (int v = 1; v < network.vertices(); v++) {
      List<Edge> more = new ArrayList<>(edges);
      more.add(new Edge(0, v, 1));
      assertEquals(oracle(network.vertices(), more) - flow, reaches[v] ? 1 : 0, "vertex " + v);
    }
  }

  @Test
  void flowOfManyUnitsDoesNotOverflow() {
    FlowNetwork network = new FlowNetwork(4);
    for (int i = 1; i <= 2; i++) {
      network.addEdge(0, i, Integer.MAX_VALUE);
      network.addEdge(i, 3, Integer.MAX_VALUE);
    }
    assertEquals(2L * Integer.MAX_VALUE, network.maxFlow(0, 3));
    assertEquals(2L * Integer.MAX_VALUE, network.maxFlow(0, 3));
  }

  @Test
  void longPathsNeedNoStack() {
    int vertices = 200_000;
    FlowNetwork network = new FlowNetwork(vertices);
    for (int v = 1; v < vertices; v++) {
      network.addEdge(v - 1, v, 3);
    }
    assertEquals(3, network.maxFlow(0, vertices - 1));
  }

  @Test
  void refusesWrongUse() {
    FlowNetwork network = new FlowNetwork(3);
    assertMessage(
        "a flow network needs a source and a sink, but has 1 vertices", () -> new FlowNetwork(1));
    assertMessage("vertex 3 of 3 vertices", () -> network.addEdge(0, 3, 1));
    assertMessage("vertex -1 of 3 vertices", () -> network.maxFlow(-1, 2));
    assertMessage(
        "edge 0 -> 1 has capacity -2, needed is 0 or more", () -> network.addEdge(0, 1, -2));
    assertMessage("vertex 1 is both source and sink", () -> network.maxFlow(1, 1));
    assertMessage("edge 0 of 0 edges", () -> network.flow(0));
    assertEquals(
        "no flow yet: call maxFlow first",
        assertThrows(IllegalStateException.class, network::sourceSide).getMessage());
    network.maxFlow(0, 2);
    assertMessage(
        "the present flow goes from 0 to 2, it cannot go on from 0 to 1",
        () -> network.maxFlow(0, 1));
  }

  private static void assertMessage(String message, org.junit.jupiter.api.function.Executable use) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, use).getMessage());
  }
}
