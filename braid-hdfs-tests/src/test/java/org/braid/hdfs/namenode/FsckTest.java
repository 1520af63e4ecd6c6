package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.coordinator.session.BadReplicas;
import org.braid.hdfs.coordinator.session.ClusterState;
import org.braid.hdfs.coordinator.session.Members;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.coordinator.session.RecentClusterState;
import org.braid.hdfs.coordinator.view.Fsck;
import org.braid.hdfs.datanode.BraidDataNodePlugin;
import org.braid.hdfs.dispatch.NameNodeLink;
import org.braid.hdfs.dispatch.OldNameNode;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.FilesRequestProto;
import org.braid.hdfs.proto.BraidProtos.FilesResponseProto;
import org.braid.hdfs.proto.BraidProtos.SeenNodesProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.NodesDigest;
import org.braid.hdfs.stripe.StripeCodec;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.testing.Descriptions;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the NameNode judges itself is what the client would have found. */
final class FsckTest {
  private static final String TOP = "/mix";
  private static final int RACKS = 6;

  /** Within which a cluster that nobody changes comes to rest. */
  private static final Duration REST = Duration.ofSeconds(20);

  @RegisterExtension
  static final SharedNameNode fixture =
      SharedNameNode.of(
          RACKS, RACKS, Map.of("dfs.datanode.plugins", BraidDataNodePlugin.class.getName()));

  private static Configuration conf;
  private static URI uri;

  private final Random random = Seeds.random(FsckTest.class);
  private final List<FSDataOutputStream> open = new ArrayList<>();
  private int made;
  private int leftOutSoFar;

  @BeforeAll
  static void prepare() throws Exception {
    conf = fixture.cluster.configuration();
    uri = FileSystem.getDefaultUri(conf);
    for (int i = 0; i < 3; i++) {
      fixture.fs.mkdirs(path(TOP + "/d" + i));
    }
  }

  private static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  private static String parity(StripeProto stripe) {
    return BraidPaths.stripePath(stripe.getId());
  }

  private static long id(StripeProto stripe, int member) {
    return stripe.getMembers(member).getBlock().getId();
  }

  private String name() {
    return TOP + "/d" + made % 3 + "/f" + made++;
  }

  private StripeProto encoded() throws Exception {
    return fixture.encode(name());
  }

  /** A stripe of two files of a block each. */
  private StripeProto shared() throws Exception {
    return shared(name(), name());
  }

  private static StripeProto shared(String first, String second) throws Exception {
    FileProto one = fixture.write(first, 1, 3);
    FileProto other = fixture.write(second, 1, 3);
    StripeProto stripe =
        fixture.publish("rs-2-1", List.of(one.getBlocks(0), other.getBlocks(0)), x -> x);
    assertEquals(List.of(), fixture.trim(stripe.getId()));
    for (FileProto file : List.of(one, other)) {
      fixture.fs.setReplication(path(file.getPath()), (short) 1);
      long block = file.getBlocks(0).getBlock().getId();
      Await.until("one copy", () -> fixture.copies(block).size() == 1);
    }
    return stripe;
  }

  private static void describe(StripeProto stripe) throws Exception {
    Descriptions.set(fixture.cluster.nameNode(), path(parity(stripe)), stripe.toByteArray());
  }

  private static DatanodeDescriptor descriptor(String uuid) {
    return fixture.blocks().getDatanodeManager().getDatanode(uuid);
  }

  /** Its only rack is that of its first block. */
  private StripeProto misplaced() throws Exception {
    StripeProto stripe = encoded();
    describe(
        stripe.toBuilder().addTargetRacks(fixture.rack(stripe.getMembers(0).getHome())).build());
    return stripe;
  }

  /**
   * A block is not at its home.
   *
   * @param outside whether all homes are in the stripe's racks, and the block is not
   */
  private StripeProto strayed(boolean outside) throws Exception {
    StripeProto stripe = encoded();
    Set<String> homes = new HashSet<>();
    stripe.getMembersList().forEach(member -> homes.add(member.getHome()));
    for (int i = 0; i < RACKS; i++) {
      if (!homes.contains(fixture.cluster.uuid(i))) {
        StripeProto.Builder moved = stripe.toBuilder();
        moved.getMembersBuilder(2).setHome(fixture.cluster.uuid(i));
        if (outside) {
          moved
              .getMembersList()
              .forEach(member -> moved.addTargetRacks(fixture.rack(member.getHome())));
        }
        describe(moved.build());
        return stripe;
      }
    }
    return fail("no other node");
  }

  private StripeProto corrupt() throws Exception {
    StripeProto stripe = encoded();
    BlockInfo block = fixture.block(id(stripe, 1));
    fixture
        .plugin()
        .host()
        .writing(
            "test",
            () -> {
              ReplicaView only = ReplicaView.of(fixture.blocks(), block).get(0);
              fixture
                  .blocks()
                  .findAndMarkBlockAsCorrupt(
                      new ExtendedBlock(
                          fixture.cluster.nameNode().getNamesystem().getBlockPoolId(), block),
                      only.node(),
                      only.storage().getStorageID(),
                      "test");
              return true;
            });
    return stripe;
  }

  private StripeProto replicated() throws Exception {
    StripeProto stripe = encoded();
    String file = fixture.stripes(id(stripe, 0)).get(0).getMembers(0).getPath();
    fixture.fs.setReplication(path(file), (short) 2);
    for (int i = 0; i < 2; i++) {
      long block = id(stripe, i);
      Await.until("two copies", () -> fixture.holders(block).size() == 2);
    }
    return stripe;
  }

  private StripeProto surplus() throws Exception {
    StripeProto stripe = encoded();
    String home = stripe.getMembers(0).getHome();
    for (int i = 0; i < RACKS; i++) {
      String uuid = fixture.cluster.uuid(i);
      if (stripe.getMembersList().stream().noneMatch(m -> m.getHome().equals(uuid))) {
        fixture.addReplica(
            fixture.cluster.indexOf(home).orElseThrow(),
            i,
            StripeCodec.of(stripe.getMembers(0).getBlock()));
        break;
      }
    }
    return stripe;
  }

  private StripeProto withoutParity() throws Exception {
    StripeProto stripe = encoded();
    fixture.cluster.nameNode().getRpcServer().delete(parity(stripe), false);
    return stripe;
  }

  private StripeProto thinned() throws Exception {
    StripeProto stripe = shared();
    String gone = fixture.stripes(id(stripe, 0)).get(0).getMembers(random.nextInt(2)).getPath();
    fixture.fs.delete(path(gone), false);
    return stripe;
  }

  private StripeProto inSnapshot() throws Exception {
    String top = TOP + "/s" + made++;
    StripeProto stripe = fixture.encode(top + "/f");
    fixture.fs.allowSnapshot(path(top));
    fixture.fs.createSnapshot(path(top), "s");
    if (random.nextBoolean()) {
      fixture.fs.delete(path(top + "/f"), false);
    }
    return stripe;
  }

  private StripeProto partlyInSnapshot() throws Exception {
    String top = TOP + "/s" + made++;
    StripeProto stripe = shared(top + "/a", top + "/b");
    fixture.fs.allowSnapshot(path(top));
    fixture.fs.createSnapshot(path(top), "s");
    fixture.fs.delete(path(top + "/b"), false);
    return stripe;
  }

  private StripeProto reencoded() throws Exception {
    StripeProto stripe = encoded();
    FileProto file = fixture.file(fixture.stripes(id(stripe, 0)).get(0).getMembers(0).getPath());
    fixture.publish("rs-2-1", file.getBlocksList(), x -> x);
    return stripe;
  }

  private StripeProto unknown() throws Exception {
    StripeProto stripe = encoded();
    describe(stripe.toBuilder().setDigest("00").build());
    return stripe;
  }

  private StripeProto appended() throws Exception {
    StripeProto stripe = encoded();
    String file = fixture.stripes(id(stripe, 0)).get(0).getMembers(0).getPath();
    FSDataOutputStream out = fixture.fs.append(path(file));
    out.write(1);
    out.hflush();
    if (random.nextBoolean()) {
      out.close();
    } else {
      open.add(out);
    }
    return stripe;
  }

  /** One stripe more, which is as one may be. */
  private void add(int kind) throws Exception {
    switch (kind) {
      case 0 -> encoded();
      case 1 -> shared();
      case 2 -> misplaced();
      case 3 -> strayed(false);
      case 4 -> corrupt();
      case 5 -> replicated();
      case 6 -> surplus();
      case 7 -> withoutParity();
      case 8 -> thinned();
      case 9 -> inSnapshot();
      case 10 -> reencoded();
      case 11 -> unknown();
      case 12 -> appended();
      case 13 -> strayed(true);
      case 14 -> partlyInSnapshot();
      case 15 -> fixture.write(name(), 2, 1 + random.nextInt(3));
      default -> fixture.fs.create(path(name())).close();
    }
  }

  private static final int KINDS = 17;

  private static NameNodeCalls calls(boolean old, int page) throws IOException {
    return new NameNodeCalls(old ? OldNameNode.link(uri, conf) : new NameNodeLink(uri, conf), page);
  }

  private static Map<String, Object> check(boolean old, int page, String path) throws IOException {
    try (NameNodeCalls calls = calls(old, page);
        Workers workers = new Workers(conf, 2000)) {
      FsckReport report =
          new Fsck(calls, new RecentClusterState(calls, workers), fixture.fs, Progress.SILENT)
              .check(path);
      Map<String, Object> said = new TreeMap<>();
      said.put("files", List.copyOf(report.files()));
      said.put("orphans", List.copyOf(report.orphans()));
      said.put("unreadable", report.unreadable());
      said.put("healthy", report.healthyFiles());
      said.put("unprotected", report.unprotected().stream().sorted().toList());
      return said;
    }
  }

  /** What a repair of all stripes is not shown needs none. */
  private void assertNothingToRepairIsLeftOut(String when) throws Exception {
    try (NameNodeCalls calls = calls(false, 3);
        Workers workers = new Workers(conf, 2000)) {
      Await.until(
          "no stripe with work to be left out " + when,
          REST,
          () -> withWorkLeftOut(calls, workers),
          List::isEmpty);
    }
  }

  /** There may be some while the cluster changes. */
  private List<String> withWorkLeftOut(NameNodeCalls calls, Workers workers) throws IOException {
    ClusterState state = ClusterState.take(calls, workers);
    List<StripeStatus> before = calls.stripes();
    Set<String> shown = new HashSet<>();
    calls.unsoundStripes(() -> state, page -> page.forEach(s -> shown.add(s.stripe().id())));
    List<StripeStatus> leftOut =
        before.stream().filter(status -> !shown.contains(status.stripe().id())).toList();
    List<String> wrong =
        leftOut.stream()
            .filter(status -> mayBeWork(status, state))
            .map(status -> status.stripe().id())
            .toList();
    if (wrong.isEmpty()) {
      leftOutSoFar += leftOut.size();
    }
    return wrong;
  }

  private static boolean mayBeWork(StripeStatus status, ClusterState state) {
    return !status.stripe().isSupported()
        || status.isReplicated()
        || Members.of(status, state, new BadReplicas()).damaged()
        || status.members().stream().anyMatch(m -> !m.gone() && m.status().replicas().size() != 1);
  }

  /** The same is said of all, with and without the NameNode's judgement. */
  private void compare(String when) throws Exception {
    assertNothingToRepairIsLeftOut(when);
    for (String path : List.of("/", TOP, TOP + "/d" + random.nextInt(3))) {
      int page = List.of(1, 3, 500).get(random.nextInt(3));
      Await.until(
          "a cluster at rest " + when,
          REST,
          () -> {
            Map<String, Object> before = check(true, page, path);
            Map<String, Object> found = check(false, page, path);
            // Else the cluster was changing.
            if (!before.equals(check(true, page, path))
                || !found.equals(check(false, page, path))) {
              return false;
            }
            assertEquals(before, found, when + ": " + path + " in pages of " + page);
            return true;
          });
    }
  }

  /** The files of which the NameNode says that they are sound, by what it is told of nodes. */
  private static Set<String> sound(String path, Set<String> silent) throws IOException {
    try (NameNodeCalls calls = calls(false, 500);
        Workers workers = new Workers(conf, 2000)) {
      ClusterState state =
          Await.until(
              "all nodes to be trusted",
              () -> ClusterState.take(calls, workers),
              seen -> seen.nodes().stream().noneMatch(Datanode::suspect));
      FilesResponseProto page =
          calls.files(
              FilesRequestProto.newBuilder()
                  .setPath(path)
                  .setBriefly(
                      SeenNodesProto.newBuilder()
                          .setDigest(NodesDigest.of(state.nodes()))
                          .addAllSilent(silent)));
      Set<String> sound = new TreeSet<>();
      page.getFilesList().stream()
          .filter(FileProto::hasSoundBlocks)
          .forEach(file -> sound.add(file.getPath()));
      return sound;
    }
  }

  @Test
  void onlyWhatIsAsItShouldBeIsDescribedInShort() throws Exception {
    String top = "/short";
    StripeProto whole = fixture.encode(top + "/whole");
    StripeProto other = fixture.encode(top + "/other");
    fixture.write(top + "/replicated", 2, 3);
    Set<String> both = Set.of(top + "/other", top + "/whole");
    Await.until("surplus copies to be gone", () -> sound(top, Set.of()).equals(both));
    String home = whole.getMembers(2).getHome();
    Set<String> elsewhere = new TreeSet<>();
    if (other.getMembersList().stream().noneMatch(m -> m.getHome().equals(home))) {
      elsewhere.add(top + "/other");
    }
    assertEquals(elsewhere, sound(top, Set.of(home)), "its worker does not answer the caller");
    descriptor(home).startDecommission();
    try {
      assertEquals(elsewhere, sound(top, Set.of()));
    } finally {
      descriptor(home).stopDecommission();
    }
    describe(other.toBuilder().addTargetRacks("/nowhere").build());
    assertEquals(Set.of(top + "/whole"), sound(top, Set.of()));
    fixture.fs.setReplication(path(top + "/whole"), (short) 2);
    assertEquals(Set.of(), sound(top, Set.of()));
  }

  @Test
  void filesInNoStripeThatHaveOneReplicaAreNamed() throws Exception {
    String top = "/single";
    fixture.write(top + "/one", 2, 1);
    fixture.write(top + "/three", 1, 3);
    fixture.fs.create(path(top + "/empty"), (short) 1).close();
    fixture.encode(top + "/encoded");
    try (FSDataOutputStream written = fixture.fs.create(path(top + "/written"), (short) 1)) {
      written.write(1);
      written.hflush();
      for (boolean old : new boolean[] {false, true}) {
        assertEquals(List.of(top + "/one"), check(old, 1, top).get("unprotected"), "old " + old);
      }
    }
  }

  @Test
  void aCallerThatSeesOtherNodesJudgesAlone() throws Exception {
    fixture.encode("/seen/f");
    try (NameNodeCalls calls = calls(false, 500)) {
      FilesResponseProto page =
          calls.files(
              FilesRequestProto.newBuilder()
                  .setPath("/seen")
                  .setBriefly(SeenNodesProto.newBuilder().setDigest(1)));
      assertEquals(2, page.getFiles(0).getBlocksCount());
      assertEquals(0, page.getSound());
    }
  }

  @Test
  void theSameIsSaidOfAllAsWithoutTheNameNodesJudgement() throws Exception {
    for (int kind = 0; kind < KINDS; kind++) {
      add(kind);
      compare("after kind " + kind);
    }
    List<Integer> added = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      added.add(random.nextInt(KINDS));
      add(added.get(i));
    }
    compare("with " + added);
    DatanodeDescriptor leaving = descriptor(fixture.cluster.uuid(random.nextInt(RACKS)));
    leaving.startDecommission();
    compare("a node leaves");
    leaving.stopDecommission();
    int stopped = random.nextInt(RACKS);
    fixture.cluster.stopNode(stopped);
    compare("a node is silent");
    fixture.cluster.awaitDead(stopped);
    compare("a node is dead");
    fixture.cluster.startPlainNode(stopped);
    fixture.cluster.awaitNodes();
    compare("a node runs without the plugin");
    assertTrue(leftOutSoFar > 0, "no stripe was ever left out");
    for (FSDataOutputStream out : open) {
      out.close();
    }
  }
}
