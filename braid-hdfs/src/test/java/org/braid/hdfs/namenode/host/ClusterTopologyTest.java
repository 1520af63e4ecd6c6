package org.braid.hdfs.namenode.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.InnerNode;
import org.apache.hadoop.net.InnerNodeImpl;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.junit.jupiter.api.Test;

/** The nodes of HDFS's map, and what it costs to list them. */
final class ClusterTopologyTest {
  /** The top of a map, which counts the leaves that it finds by number, through all its racks. */
  private static final class Top extends InnerNodeImpl {
    private int searches;

    Top(String path) {
      super(path);
    }

    @Override
    public Node getLeaf(int index, Node excluded) {
      searches++;
      return super.getLeaf(index, excluded);
    }
  }

  private static final class CountedMap extends NetworkTopology {
    private final List<Top> tops = new ArrayList<>();

    CountedMap() {
      init(
          new InnerNode.Factory<Top>() {
            @Override
            public Top newInnerNode(String path) {
              Top top = new Top(path);
              tops.add(top);
              return top;
            }
          });
    }

    private int searches() {
      return tops.stream().mapToInt(top -> top.searches).sum();
    }
  }

  private static DatanodeDescriptor node(int number, String rack) {
    String uuid = "uuid-%02d".formatted(number);
    return new DatanodeDescriptor(
        new DatanodeID("10.0.0." + number, uuid, uuid, 9866, 9864, 9865, 9867), rack);
  }

  @Test
  void allNodesAreListedInOrderInOnePassThroughTheRacks() {
    CountedMap map = new CountedMap();
    List<DatanodeDescriptor> added = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      added.add(node(i, "/site" + i % 2 + "/r" + i % 10));
    }
    for (int i = added.size() - 1; i >= 0; i--) {
      map.add(added.get(i));
    }
    ClusterTopology none = ClusterTopology.of(List.of());
    int before = map.searches();
    ClusterTopology cluster = ClusterTopology.of(map, none);
    assertEquals(added, cluster.nodes());
    assertEquals(10, cluster.topology().racks());
    assertEquals(2, cluster.topology().sites());
    assertEquals(before, map.searches(), "searches for a node through the racks");
    assertEquals(none, ClusterTopology.of(new CountedMap(), none));
  }
}
