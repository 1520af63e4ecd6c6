package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.namenode.host.ClusterTopology;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.ReplicaProto;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.setting.EarSetting;
import org.braid.placement.flow.FlowMatching;
import org.braid.placement.rule.StripeLimits;
import org.braid.testing.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class EarPlacementTest {
  private static final int K = 4;

  @RegisterExtension static final SharedNameNode fixture = SharedNameNode.of(6, 12, Map.of());

  private static void ear(String path, String setting) throws IOException {
    var directory = new org.apache.hadoop.fs.Path(path);
    fixture.fs.mkdirs(directory);
    fixture.fs.setXAttr(directory, BraidPaths.EAR_XATTR, setting.getBytes(StandardCharsets.UTF_8));
  }

  private static List<BlockStatusProto> write(String path, int blocks) throws Exception {
    fixture.write(path, blocks, 3);
    return fixture.file(path).getBlocksList();
  }

  @Test
  void everyStripeHasACoreRackAndAFullMatching() throws Exception {
    ear("/ear", "rs-4-2,c=1");
    List<BlockStatusProto> blocks = write("/ear/below/file", 60);
    assertEquals(60, blocks.size());
    for (int s = 0; s < 15; s++) {
      List<BlockStatusProto> stripe = blocks.subList(K * s, K * s + K);
      assertTrue(hasCoreRack(stripe), "stripe " + s + " has no core rack");
      assertTrue(matching(stripe).isFull(), "stripe " + s + " must move blocks");
    }
  }

  /**
   * As HDFS is told to by {@code dfs.namenode.block-placement-policy.exclude-slow-nodes.enabled}.
   */
  @Test
  void slowNodesGetNothingWhereHdfsExcludesThem() throws Exception {
    ear("/slow", "rs-4-2,c=1");
    String slow = fixture.cluster.uuid(5);
    fixture.blocks().setExcludeSlowNodesEnabled(true);
    fixture.blocks().getDatanodeManager().addSlowPeers(slow);
    try {
      for (BlockStatusProto block : write("/slow/file", 60)) {
        assertTrue(
            block.getReplicasList().stream().noneMatch(replica -> replica.getNode().equals(slow)),
            block.toString());
      }
    } finally {
      DatanodeManager.getSlowNodesUuidSet().remove(slow);
      fixture.blocks().setExcludeSlowNodesEnabled(false);
    }
  }

  /** As HDFS is told to by {@code dfs.namenode.redundancy.considerLoad}, which is its default. */
  @Test
  void overloadedNodesGetNothingWhereHdfsConsidersLoad() throws Exception {
    ear("/busy", "rs-4-2,c=1");
    String busy = fixture.cluster.uuid(7);
    DatanodeManager nodes = fixture.blocks().getDatanodeManager();
    List<FSDataOutputStream> open = new ArrayList<>();
    try {
      for (int i = 0; i < 16; i++) {
        String path = BraidPaths.stagingPath("00000000000000000000000000000003", i, busy);
        FSDataOutputStream out = fixture.fs.create(new org.apache.hadoop.fs.Path(path), (short) 1);
        open.add(out);
        out.write(1);
        out.hflush();
      }
      considerLoad(true);
      Await.until(
          "node 7 to have much more to do than others",
          () ->
              nodes.getDatanode(busy).getXceiverCount()
                  > 3 * nodes.getFSClusterStats().getInServiceXceiverAverage());
      for (BlockStatusProto block : write("/busy/file", 60)) {
        assertTrue(
            block.getReplicasList().stream().noneMatch(replica -> replica.getNode().equals(busy)),
            block.toString());
      }
    } finally {
      considerLoad(false);
      for (FSDataOutputStream out : open) {
        out.close();
      }
    }
  }

  private static void considerLoad(boolean consider) {
    refresh(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_KEY, consider);
  }

  private static void refresh(String key, boolean value) {
    Configuration conf = new Configuration(fixture.cluster.configuration());
    conf.setBoolean(key, value);
    fixture.blocks().refreshBlockPlacementPolicy(conf);
  }

  /**
   * As HDFS is told to by {@code dfs.namenode.block-placement-policy.default.prefer-local-node}.
   */
  @Test
  void theFirstReplicaIsOnTheWriterOrElsewhereInItsRackAsHdfsIsTold() throws Exception {
    ear("/near", "rs-4-2,c=1");
    ear("/near-across", "rs-4-2,c=1,across");
    for (String path : List.of("/near/file", "/near-across/file")) {
      fixture.fs.create(new org.apache.hadoop.fs.Path(path)).close();
      for (int i = 0; i < 40; i++) {
        assertEquals(3, first(path), path);
      }
      refresh(DFSConfigKeys.DFS_NAMENODE_BLOCKPLACEMENTPOLICY_DEFAULT_PREFER_LOCAL_NODE_KEY, false);
      try {
        Set<Integer> firsts = new HashSet<>();
        for (int i = 0; i < 40; i++) {
          firsts.add(first(path));
        }
        Set<Integer> ofItsRack = new HashSet<>();
        for (int i = 0; i < fixture.cluster.nodes(); i++) {
          if (rackOf(i).equals(rackOf(3))) {
            ofItsRack.add(i);
          }
        }
        assertTrue(ofItsRack.size() > 1, "nodes of the writer's rack: " + ofItsRack);
        assertEquals(ofItsRack, firsts, path);
      } finally {
        refresh(
            DFSConfigKeys.DFS_NAMENODE_BLOCKPLACEMENTPOLICY_DEFAULT_PREFER_LOCAL_NODE_KEY, true);
      }
    }
  }

  private static String rackOf(int node) {
    return fixture.rack(fixture.cluster.uuid(node));
  }

  /** The node of the first replica of a new block that node 3 writes. */
  private static int first(String path) {
    DatanodeDescriptor writer =
        fixture.blocks().getDatanodeManager().getDatanode(fixture.cluster.uuid(3));
    String first =
        fixture
            .blocks()
            .getBlockPlacementPolicy()
            .chooseTarget(
                path,
                3,
                writer,
                List.of(),
                false,
                new HashSet<>(),
                NameNodeFixture.BLOCK,
                fixture.blocks().getStoragePolicy("HOT"),
                EnumSet.noneOf(AddBlockFlag.class))[0]
            .getDatanodeDescriptor()
            .getDatanodeUuid();
    for (int i = 0; i < fixture.cluster.nodes(); i++) {
      if (fixture.cluster.uuid(i).equals(first)) {
        return i;
      }
    }
    throw new AssertionError("no node " + first);
  }

  @Test
  void leavesOtherDirectoriesToHdfs() throws Exception {
    List<BlockStatusProto> blocks = write("/random", 60);
    int cores = 0;
    for (int s = 0; s < 15; s++) {
      cores += hasCoreRack(blocks.subList(K * s, K * s + K)) ? 1 : 0;
    }
    // Four random pairs of six racks share one in 7 of 100 cases.
    assertTrue(cores < 10, cores + " of 15 groups have a core rack");
  }

  @Test
  void writesGoOnWhenTheSettingCannotBeKept() throws Exception {
    ear("/many", "rs-10-4");
    earAsBefore("/nonsense", "rs-4-2;c=1");
    earAsBefore("/unknown", "fountain-3");
    earAsBefore("/long", "rs-200-50");
    for (String path : List.of("/many/f", "/nonsense/f", "/unknown/f", "/long/f")) {
      assertEquals(3, write(path, 3).size());
    }
    String form =
        assertThrows(IllegalArgumentException.class, () -> EarSetting.parse("rs-4-2;c=1"))
            .getMessage();
    assertTrue(String.valueOf(form).contains("CODE,c=N"), form);
  }

  /** An attribute that was set before the NameNode knew what speaks against it. */
  private static void earAsBefore(String path, String setting) throws IOException {
    fixture.fs.mkdirs(new org.apache.hadoop.fs.Path(path));
    fixture
        .cluster
        .nameNode()
        .getRpcServer()
        .setXAttr(
            path,
            XAttrHelper.buildXAttr(BraidPaths.EAR_XATTR, setting.getBytes(StandardCharsets.UTF_8)),
            EnumSet.of(XAttrSetFlag.CREATE));
  }

  @Test
  void whatCannotBeKeptIsRefusedWhenTheAttributeIsSet() throws Exception {
    for (String wrong : List.of("rs-4-2;c=1", "fountain-3", "rs-4-2,c=0")) {
      IOException refusal = assertThrows(IOException.class, () -> ear("/refused", wrong));
      assertTrue(
          String.valueOf(refusal.getMessage()).contains("user.braid.ear: "), refusal.getMessage());
    }
    IOException large = assertThrows(IOException.class, () -> ear("/refused", "rs-200-50"));
    assertTrue(String.valueOf(large.getMessage()).contains("has 250 blocks"), large.getMessage());
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(
                        URI.create(
                            "http://%s/webhdfs/v1/refused?op=SETXATTR&flag=CREATE&user.name=%s&xattr.name=USER.braid.ear&xattr.value=%%22rs-200-50%%22"
                                .formatted(
                                    NetUtils.getHostPortString(
                                        fixture.cluster.nameNode().getHttpAddress()),
                                    UserGroupInformation.getCurrentUser().getShortUserName())))
                    .PUT(HttpRequest.BodyPublishers.noBody())
                    .build(),
                HttpResponse.BodyHandlers.ofString());
    assertEquals(403, answer.statusCode());
    assertEquals(
        Map.of(), fixture.fs.getXAttrs(new org.apache.hadoop.fs.Path("/refused")), "attributes");
  }

  @Test
  void parityGoesToTheNodeThatItsPathNames() throws Exception {
    String id = "00000000000000000000000000000001";
    for (int i = 0; i < fixture.cluster.nodes(); i++) {
      String path = BraidPaths.stagingPath(id, i, fixture.cluster.uuid(i));
      create(path, NameNodeFixture.BLOCK);
      long block = fixture.identity(path).getId();
      Await.until("the report of " + path, () -> !fixture.holders(block).isEmpty());
      assertEquals(Set.of(fixture.cluster.uuid(i)), fixture.holders(block));
    }
  }

  @Test
  void parityIsRefusedWhereItCannotBe() throws Exception {
    String id = "00000000000000000000000000000002";
    String unknown = BraidPaths.stagingPath(id, 0, "11111111-2222-3333-4444-555555555555");
    assertNowhere(unknown, NameNodeFixture.BLOCK);
    // More than any disk has left.
    assertNowhere(BraidPaths.stagingPath(id, 1, fixture.cluster.uuid(3)), 1L << 47);
    DatanodeDescriptor leaving =
        fixture.blocks().getDatanodeManager().getDatanode(fixture.cluster.uuid(4));
    leaving.startDecommission();
    try {
      assertNowhere(BraidPaths.stagingPath(id, 2, fixture.cluster.uuid(4)), NameNodeFixture.BLOCK);
    } finally {
      leaving.stopDecommission();
    }
  }

  private static void assertNowhere(String path, long blockSize) {
    IOException refusal = assertThrows(IOException.class, () -> create(path, blockSize));
    assertTrue(
        String.valueOf(refusal.getMessage()).contains("could only be written to 0 of the 1"),
        refusal.getMessage());
  }

  private static void create(String path, long blockSize) throws IOException {
    try (FSDataOutputStream out =
        fixture.fs.create(new org.apache.hadoop.fs.Path(path), true, 4096, (short) 1, blockSize)) {
      out.write(new byte[NameNodeFixture.BLOCK]);
    }
  }

  private static boolean hasCoreRack(List<BlockStatusProto> stripe) {
    Set<String> common = null;
    for (BlockStatusProto block : stripe) {
      Set<String> racks = new HashSet<>();
      for (ReplicaProto replica : block.getReplicasList()) {
        racks.add(fixture.rack(replica.getNode()));
      }
      if (common == null) {
        common = racks;
      } else {
        common.retainAll(racks);
      }
    }
    return common != null && !common.isEmpty();
  }

  private static FlowMatching matching(List<BlockStatusProto> stripe) {
    ClusterTopology cluster =
        ClusterTopology.of(
            fixture.blocks().getDatanodeManager().getNetworkTopology(),
            ClusterTopology.of(List.of()));
    List<int[]> replicas = new ArrayList<>();
    for (BlockStatusProto block : stripe) {
      replicas.add(
          block.getReplicasList().stream()
              .mapToInt(replica -> cluster.indexOf(replica.getNode()))
              .toArray());
    }
    return StripeLimits.perRack(1).matching(cluster.topology(), replicas);
  }
}
