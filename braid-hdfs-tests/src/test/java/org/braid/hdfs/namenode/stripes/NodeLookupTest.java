package org.braid.hdfs.namenode.stripes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.braid.hdfs.namenode.BraidPlacementPolicy;
import org.braid.hdfs.namenode.SharedNameNode;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.rpc.BraidPaths;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** HDFS asks where a block may go to: answers come without a list of all nodes. */
final class NodeLookupTest {
  private static final String STRIPE = "0123456789abcdef0123456789abcdef";

  @RegisterExtension static final SharedNameNode fixture = SharedNameNode.of(5, 5, Map.of());
  private final BraidPlacementPolicy policy = new BraidPlacementPolicy();
  private CountedMap map = new CountedMap(new NetworkTopology());

  /** HDFS's map of the nodes, which counts what it is asked. */
  private static final class CountedMap extends NetworkTopology {
    private final NetworkTopology whole;
    private final Set<Node> gone = new HashSet<>();
    private int lists;
    private int questions;

    CountedMap(NetworkTopology whole) {
      this.whole = whole;
    }

    @Override
    public List<Node> getLeaves(String scope) {
      lists++;
      return whole.getLeaves(scope).stream().filter(node -> !gone.contains(node)).toList();
    }

    @Override
    public Node getNode(String location) {
      questions++;
      return whole.getNode(location);
    }

    @Override
    public boolean contains(Node node) {
      return whole.contains(node) && !gone.contains(node);
    }

    /** It stands for the map by which the plugin is found. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other == this || other == whole;
    }

    @Override
    public int hashCode() {
      return whole.hashCode();
    }
  }

  @BeforeEach
  void count() {
    map = new CountedMap(blocks().getDatanodeManager().getNetworkTopology());
    policy.initialize(fixture.cluster.configuration(), null, map, null);
  }

  private static BlockManager blocks() {
    return fixture.cluster.nameNode().getNamesystem().getBlockManager();
  }

  private static DatanodeDescriptor node(String uuid) {
    return blocks().getDatanodeManager().getDatanode(uuid);
  }

  /** The nodes that HDFS is told to write a parity block to. */
  private List<String> parityOn(String uuid) {
    var targets =
        policy.chooseTarget(
            BraidPaths.stagingPath(STRIPE, 0, uuid),
            1,
            null,
            List.of(),
            false,
            null,
            4096,
            blocks().getStoragePolicy("HOT"),
            EnumSet.noneOf(AddBlockFlag.class));
    return Arrays.stream(targets).map(t -> t.getDatanodeDescriptor().getDatanodeUuid()).toList();
  }

  @Test
  void theNodeOfAParityBlockIsFoundByItsName() {
    for (int i = 0; i < fixture.cluster.nodes(); i++) {
      assertEquals(List.of(fixture.cluster.uuid(i)), parityOn(fixture.cluster.uuid(i)));
    }
    assertEquals(List.of(), parityOn("nobody"));
    assertEquals(0, map.lists, "lists of all nodes");
  }

  @Test
  void aNodeThatLeftTheMapGetsNoParity() {
    String uuid = fixture.cluster.uuid(2);
    map.gone.add(node(uuid));
    assertEquals(List.of(), parityOn(uuid));
  }

  @Test
  void placesOfACopyAreFoundInTheRacksOfTheStripe() throws Exception {
    StripeProto stripe = fixture.encode("/encoded");
    DatanodeDescriptor source = node(stripe.getMembers(0).getHome());
    Set<Node> apart = fixture.plugin().neighbours().of("/encoded", source, map).apart();
    assertEquals(0, map.lists, "lists of all nodes");
    for (int i = 0; i < fixture.cluster.nodes(); i++) {
      DatanodeDescriptor node = node(fixture.cluster.uuid(i));
      boolean near =
          stripe.getMembersList().stream()
              .skip(1)
              .map(member -> node(member.getHome()).getNetworkLocation())
              .anyMatch(node.getNetworkLocation()::equals);
      assertEquals(near, apart.contains(node), node.getNetworkLocation());
    }
  }

  /** The nodes that HDFS chooses for a copy of a file's block that is on a node. */
  private static List<String> copyFrom(String uuid, String path) {
    var targets =
        blocks()
            .getBlockPlacementPolicy()
            .chooseTarget(
                path,
                1,
                node(uuid),
                List.of(),
                false,
                new HashSet<>(Set.of(node(uuid))),
                4096,
                blocks().getStoragePolicy("HOT"),
                null);
    return Arrays.stream(targets).map(t -> t.getDatanodeDescriptor().getDatanodeUuid()).toList();
  }

  /** As their nodes are taken out of service at once, with two others that are free. */
  @Test
  void twoBlocksOfAStripeAreNotCopiedToTheSameNode() throws Exception {
    for (int i = 0; i < 10; i++) {
      String path = "/leaving" + i;
      StripeProto stripe = fixture.encode(path);
      Set<String> nodes = new HashSet<>();
      for (int member = 0; member < 2; member++) {
        nodes.addAll(copyFrom(stripe.getMembers(member).getHome(), path));
      }
      assertEquals(2, nodes.size(), "nodes for two blocks of " + path);
    }
  }

  @Test
  void theMapIsNotLookedAtForOtherFiles() throws Exception {
    fixture.write("/plain", 1, 3);
    for (int i = 0; i < fixture.cluster.nodes(); i++) {
      DatanodeDescriptor source = node(fixture.cluster.uuid(i));
      assertTrue(fixture.plugin().neighbours().of("/plain", source, map).apart().isEmpty());
    }
    assertEquals(0, map.lists + map.questions, "questions to the map");
  }
}
