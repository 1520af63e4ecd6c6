package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.PrivilegedExceptionAction;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.api.ConvertRequest.Encode;
import org.braid.hdfs.api.ConvertRequest.Encoder;
import org.braid.hdfs.api.ConvertRequest.Group;
import org.braid.hdfs.api.ConvertRequest.Homes;
import org.braid.hdfs.api.ConvertRequest.Method;
import org.braid.hdfs.namenode.RecordedAudit;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.Member;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A block is lost, and users remove others of its stripe: {@code /a/gone} and {@code /b/stays} are
 * a stripe, two blocks of the first and one of the second.
 */
final class RemovalsTest {
  private static final Random RANDOM = Seeds.random(RemovalsTest.class);
  private static final int BLOCK = ClusterFixture.BLOCK;
  private static final String SERVICE = DFSConfigKeys.DFS_NAMENODE_SERVICE_RPC_ADDRESS_KEY;
  private static final String REFUSED = "cannot be removed yet";
  private static final String GONE = "/a/gone";
  private static final String STAYS = "/b/stays";

  @RegisterExtension
  static final SharedCluster fixture =
      new SharedCluster(
          6,
          6,
          Map.of(
              SERVICE, "localhost:0", "dfs.namenode.audit.loggers", RecordedAudit.class.getName()));

  @BeforeEach
  void write() throws Exception {
    fixture.write(GONE, 2 * BLOCK, 3, RANDOM);
    fixture.write(STAYS, BLOCK, 3, RANDOM);
  }

  @AfterEach
  void clear() throws Exception {
    fixture.repair("/", "chain");
    fixture.deleteAll();
  }

  private static void share(String code) throws IOException {
    // Small files of a directory share stripes.
    Path directory = new Path("/s");
    Map<Path, Path> moved =
        Map.of(
            new Path(GONE), new Path(directory, "gone"),
            new Path(STAYS), new Path(directory, "stays"));
    fixture.fs.mkdirs(directory);
    for (Map.Entry<Path, Path> move : moved.entrySet()) {
      assertTrue(fixture.fs.rename(move.getKey(), move.getValue()));
    }
    Method method = new Method(Encoder.CORE_RACK, Group.ORDER, Encode.GATHER, Homes.EVEN);
    assertEquals(List.of(), fixture.convert(method, code, directory.toString()).skipped());
    assertEquals(1, fixture.stripes().size(), "stripes");
    for (Map.Entry<Path, Path> move : moved.entrySet()) {
      assertTrue(fixture.fs.rename(move.getValue(), move.getKey()));
    }
  }

  /** The only block of the file that stays is lost. */
  private static void lose() throws IOException {
    BlockIdentity block = fixture.files(STAYS).get(0).blocks().get(0).block();
    // A removal waits for a second copy only: a third one that comes later would be left.
    var blocks = fixture.hdfs.nameNode().getNamesystem().getBlockManager();
    Await.until("copies to arrive", () -> blocks.getPendingReconstructionBlocksCount() == 0);
    Await.until("one copy", () -> copies(STAYS) == 1);
    Member member =
        fixture.stripes().get(0).stripe().members().stream()
            .filter(m -> m.isBlock(block.id()))
            .findFirst()
            .orElseThrow();
    int home = fixture.hdfs.indexOf(member.home()).orElseThrow();
    fixture
        .hdfs
        .dataNode(home)
        .getFSDataset()
        .invalidate(
            fixture.hdfs.nameNode().getNamesystem().getBlockPoolId(),
            new Block[] {new Block(block.id(), block.length(), block.generation())});
    Await.until("the loss to be reported", () -> Movers.holders(fixture, block).isEmpty());
  }

  /** Ways to remove blocks of a file. */
  enum Way {
    DELETE,
    DELETE_PARENT,
    DELETE_BY_NUMBER,
    CREATE,
    RENAME_ONTO,
    TRUNCATE_ALL,
    TRUNCATE_BLOCK,
    TRUNCATE_INSIDE;

    /** What HDFS's audit log calls it. */
    String command() {
      return switch (this) {
        case DELETE, DELETE_PARENT, DELETE_BY_NUMBER -> "delete";
        case CREATE -> "create";
        case RENAME_ONTO -> "rename";
        case TRUNCATE_ALL, TRUNCATE_BLOCK, TRUNCATE_INSIDE -> "truncate";
      };
    }

    void remove(DistributedFileSystem fs) throws IOException {
      Path file = new Path(GONE);
      switch (this) {
        case DELETE -> assertTrue(fs.delete(file, false));
        case DELETE_PARENT -> assertTrue(fs.delete(file.getParent(), true));
        case DELETE_BY_NUMBER -> {
          long inode = fixture.files(GONE).get(0).inode();
          assertTrue(fs.delete(new Path("/.reserved/.inodes/" + inode), false));
        }
        case CREATE -> fs.create(file, true).close();
        case RENAME_ONTO -> {
          Path other = new Path("/c");
          fs.create(other).close();
          FileContext.getFileContext(fs.getUri(), fs.getConf())
              .rename(other, file, Options.Rename.OVERWRITE);
        }
        case TRUNCATE_ALL -> fs.truncate(file, 0);
        case TRUNCATE_BLOCK -> fs.truncate(file, BLOCK);
        case TRUNCATE_INSIDE -> fs.truncate(file, BLOCK + 5);
      }
    }
  }

  /** Nobody rebuilds the lost block: what it needs stays, and can go after a repair. */
  @ParameterizedTest
  @EnumSource
  void whatALostBlockNeedsStays(Way way) throws Exception {
    share("rs-3-1");
    lose();
    RecordedAudit.clear();
    String said =
        String.valueOf(assertThrows(IOException.class, () -> way.remove(fixture.fs)).getMessage());
    assertTrue(said.contains(REFUSED), said);
    RecordedAudit.assertRefused(System.getProperty("user.name"), way.command());
    fixture.assertReads(GONE);
    assertEquals(List.of(), fixture.repair("/", "chain").unrepairable());
    fixture.assertReads(STAYS);
    way.remove(fixture.fs);
    fixture.assertReads(STAYS);
  }

  @ParameterizedTest
  @EnumSource
  void waitsUntilACoordinatorHasRebuiltIt(Way way) throws Exception {
    share("rs-3-1");
    try (WatchingCoordinator coordinator = new WatchingCoordinator(fixture, 3_600_000)) {
      coordinator.awaitWatching();
      lose();
      way.remove(fixture.fs);
      fixture.assertReads(STAYS);
    }
  }

  @Test
  void whatIsNotNeededGoesAtOnce() throws Exception {
    share("rs-3-3");
    lose();
    assertTrue(fixture.fs.delete(new Path(GONE), false));
    assertEquals(List.of(), fixture.repair("/", "chain").unrepairable());
    fixture.assertReads(STAYS);
  }

  /** The NameNode that was active before may have had copies deleted: they are reported first. */
  @Test
  void copiesThatNoNodeHasReportedSinceAFailoverDoNotCount() throws Exception {
    share("rs-3-1");
    fixture.fs.setReplication(new Path(STAYS), (short) 3);
    fixture.awaitReplicas(STAYS, 3);
    forgetReports();
    assertTrue(fixture.fs.delete(new Path(GONE), false));
    assertTrue(reported(STAYS) >= 2, "reported copies: " + reported(STAYS));
    fixture.assertReads(STAYS);
  }

  /** The same of the block that is cut, which nothing else relies on. */
  @Test
  void aBlockIsCutWhenItsCopiesAreReported() throws Exception {
    share("rs-3-3");
    forgetReports();
    boolean done = fixture.fs.truncate(new Path(GONE), 5);
    Await.until("the cut, at once: " + done, () -> fixture.fs.isFileClosed(new Path(GONE)));
    assertTrue(reported(GONE) >= 2, "reported copies: " + reported(GONE));
    fixture.assertReads(STAYS);
  }

  /** As a NameNode does that becomes active; Hadoop 3.4 and 3.5 have other names for it. */
  private static void forgetReports() throws ReflectiveOperationException {
    DatanodeManager nodes =
        fixture.hdfs.nameNode().getNamesystem().getBlockManager().getDatanodeManager();
    int marked = 0;
    for (var method : DatanodeManager.class.getMethods()) {
      if (method.getName().startsWith("markAllDatanodesStale")) {
        method.invoke(nodes);
        marked++;
      }
    }
    assertEquals(1, marked);
  }

  /** Copies of a file's first block on nodes that have reported all their blocks since. */
  private static int reported(String path) throws IOException {
    BlockInfo block =
        fixture
            .hdfs
            .nameNode()
            .getNamesystem()
            .getFSDirectory()
            .getINode(path)
            .asFile()
            .getBlocks()[0];
    int reported = 0;
    for (Iterator<DatanodeStorageInfo> i = block.getStorageInfos(); i.hasNext(); ) {
      DatanodeStorageInfo storage = i.next();
      reported += storage != null && !storage.areBlockContentsStale() ? 1 : 0;
    }
    return reported;
  }

  /** To wait would not help: all files of the stripe go together. */
  @Test
  void lostBlocksThatGoThemselvesKeepNobodyWaiting() throws Exception {
    share("rs-3-1");
    lose();
    assertTrue(fixture.fs.delete(new Path(STAYS), false));
    assertTrue(fixture.fs.delete(new Path(GONE), false));
  }

  /** What nobody can rebuild any more holds nothing up. */
  @Test
  void whatIsLostForGoodKeepsNobodyWaiting() throws Exception {
    share("rs-3-1");
    lose();
    Member parity = fixture.stripes().get(0).stripe().member(3);
    fixture
        .hdfs
        .dataNode(fixture.hdfs.indexOf(parity.home()).orElseThrow())
        .getFSDataset()
        .invalidate(
            fixture.hdfs.nameNode().getNamesystem().getBlockPoolId(),
            new Block[] {
              new Block(parity.block().id(), parity.block().length(), parity.block().generation())
            });
    Await.until("the loss of parity", () -> Movers.holders(fixture, parity.block()).isEmpty());
    assertTrue(fixture.fs.delete(new Path(GONE), false));
    assertTrue(fixture.fs.delete(new Path(STAYS), false));
  }

  /** Also what was moved elsewhere before it was deleted, as through the trash. */
  @ParameterizedTest
  @ValueSource(strings = {GONE, "/trash"})
  void snapshotsKeepWhatALostBlockNeeds(String last) throws Exception {
    Path directory = new Path("/a");
    share("rs-3-1");
    fixture.fs.allowSnapshot(directory);
    fixture.fs.createSnapshot(directory, "before");
    if (!last.equals(GONE)) {
      assertTrue(fixture.fs.rename(new Path(GONE), new Path(last)));
    }
    assertTrue(fixture.fs.delete(new Path(last), false));
    lose();
    String said =
        String.valueOf(
            assertThrows(IOException.class, () -> fixture.fs.deleteSnapshot(directory, "before"))
                .getMessage());
    assertTrue(said.contains(REFUSED), said);
    assertEquals(List.of(), fixture.repair("/", "chain").unrepairable());
    fixture.assertReads(STAYS);
    fixture.fs.deleteSnapshot(directory, "before");
    fixture.fs.disallowSnapshot(directory);
  }

  private static void assertOthersMayNotDelete() throws Exception {
    fixture.fs.setPermission(new Path("/a"), new FsPermission((short) 0755));
    UserGroupInformation other =
        UserGroupInformation.createUserForTesting("other", new String[] {"others"});
    try (DistributedFileSystem fs =
        other.doAs(
            (PrivilegedExceptionAction<DistributedFileSystem>) () -> fixture.hdfs.fileSystem())) {
      assertThrows(AccessControlException.class, () -> fs.delete(new Path(GONE), false));
    }
  }

  @Test
  void whoMayNotDeleteHearsWhatHdfsSays() throws Exception {
    RecordedAudit.clear();
    share("rs-3-1");
    lose();
    assertOthersMayNotDelete();
    assertEquals(403, webHdfs("other", GONE));
    assertEquals(403, webHdfs(System.getProperty("user.name"), GONE));
    RecordedAudit.assertRefused(System.getProperty("user.name"), "delete");
    fixture.repair("/", "chain");
    assertEquals(403, webHdfs("other", GONE));
    assertEquals(200, webHdfs(System.getProperty("user.name"), GONE));
    assertFalse(fixture.fs.exists(new Path(GONE)));
    fixture.assertReads(STAYS);
  }

  /** HDFS takes {@code ..} out of where a file is to go, and nothing out of what is to go. */
  @Test
  void webHdfsHasNoWayRoundByAnotherName() throws Exception {
    String user = System.getProperty("user.name");
    String named = "/a/f;x";
    share("rs-3-1");
    assertTrue(fixture.fs.rename(new Path(GONE), new Path(named)));
    lose();
    fixture.write("/other", 10, 3, RANDOM);
    for (String onto : List.of("/a/./f;x", "/b/../a/f;x", "//host/a/f%3Bx", "/b/%2e%2e//a/f;x/")) {
      String rename = "/other?op=RENAME&renameoptions=OVERWRITE&destination=";
      assertEquals(403, webHdfs("PUT", rename + onto, user), onto);
    }
    for (String path : List.of(named, "/a/f%3Bx", "//a//f;x")) {
      assertEquals(403, webHdfs(user, path), path);
    }
    assertTrue(fixture.fs.exists(new Path(named)));
    fixture.repair("/", "chain");
    fixture.assertReads(STAYS);
    assertEquals(200, webHdfs(user, named));
  }

  private static int webHdfs(String user, String path) throws Exception {
    return webHdfs("DELETE", path + "?op=DELETE", user);
  }

  private static int webHdfs(String method, String request, String user) throws Exception {
    var address = fixture.hdfs.nameNode().getHttpAddress();
    URI uri =
        URI.create(
            "http://%s:%d/webhdfs/v1%s&user.name=%s"
                .formatted(address.getHostString(), address.getPort(), request, user));
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody()).build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  /** The port that is meant for DataNodes answers clients, too. */
  @Test
  void theServicePortIsNoWayRound() throws Exception {
    RecordedAudit.clear();
    share("rs-3-1");
    lose();
    InetSocketAddress service = fixture.hdfs.nameNode().getServiceRpcAddress();
    assertNotEquals(fixture.hdfs.nameNode().getNameNodeAddress().getPort(), service.getPort());
    try (FileSystem fs =
        FileSystem.newInstance(
            URI.create("hdfs://%s:%d/".formatted(service.getHostString(), service.getPort())),
            fixture.fs.getConf())) {
      String said =
          String.valueOf(
              assertThrows(IOException.class, () -> fs.delete(new Path(GONE), false)).getMessage());
      assertTrue(said.contains(REFUSED), said);
      RecordedAudit.assertRefused(System.getProperty("user.name"), "delete");
    }
    fixture.assertReads(GONE);
  }

  private static int copies(String path) throws IOException {
    return Movers.holders(fixture, fixture.files(path).get(0).blocks().get(0).block()).size();
  }

  /** Two of three blocks go, and what is left has a second copy before they do. */
  @Test
  void whatIsLeftHasCopiesBeforehand() throws Exception {
    share("rs-3-2");
    assertEquals(1, copies(STAYS));
    assertTrue(fixture.fs.delete(new Path("/a"), true));
    int left = copies(STAYS);
    assertTrue(left >= 2, left + " copies");
    assertEquals(List.of(3), expected());
  }

  private static List<Integer> expected() throws IOException {
    return fixture.files(STAYS).get(0).blocks().stream().map(BlockStatus::expected).toList();
  }

  @Test
  void whatIsLeftHasCopiesBeforehandOverWebHdfs() throws Exception {
    share("rs-3-2");
    assertEquals(200, webHdfs(System.getProperty("user.name"), GONE));
    int left = copies(STAYS);
    assertTrue(left >= 2, left + " copies");
  }

  /** What is not removed after all leaves others as they were. */
  @Test
  void copiesGoAgainWhenNothingIsRemoved() throws Exception {
    share("rs-3-2");
    fixture.fs.allowSnapshot(new Path("/a"));
    fixture.fs.createSnapshot(new Path("/a"), "kept");
    assertThrows(IOException.class, () -> fixture.fs.delete(new Path("/a"), true));
    Await.until("one copy to be kept", () -> expected().equals(List.of(1)) && copies(STAYS) == 1);
    fixture.assertClean("/");
    fixture.fs.deleteSnapshot(new Path("/a"), "kept");
    fixture.fs.disallowSnapshot(new Path("/a"));
  }

  /** A file that left a snapshot's directory and was deleted has a number, and no path. */
  @Test
  void aFileWithoutPathBreaksOffNoRepair() throws Exception {
    Path directory = new Path("/b");
    share("rs-3-2");
    fixture.fs.allowSnapshot(directory);
    fixture.fs.createSnapshot(directory, "before");
    assertTrue(fixture.fs.rename(new Path(STAYS), new Path("/left")));
    assertTrue(fixture.fs.delete(new Path("/left"), false));
    assertTrue(fixture.fs.delete(new Path(GONE), false));
    assertEquals(List.of(), fixture.repair("/", "chain").unrepairable());
    fixture.fs.deleteSnapshot(directory, "before");
    fixture.fs.disallowSnapshot(directory);
  }

  /** Nobody is asked for copies by those who may not delete. */
  @Test
  void whoMayNotDeleteHasNothingCopied() throws Exception {
    share("rs-3-2");
    assertOthersMayNotDelete();
    assertEquals(List.of(1), expected());
  }

  /** The node of the block that stays fails in the moment before the others go, unnoticed. */
  @Test
  void aNodeThatHasJustFailedCostsNothing() throws Exception {
    share("rs-3-2");
    try (WatchingCoordinator coordinator = new WatchingCoordinator(fixture, 3_600_000)) {
      coordinator.awaitWatching();
      BlockIdentity block = fixture.files(STAYS).get(0).blocks().get(0).block();
      String uuid = Movers.holders(fixture, block).get(0);
      fixture.hdfs.stopNode(fixture.hdfs.indexOf(uuid).orElseThrow());
      assertTrue(fixture.fs.delete(new Path(GONE), false));
      fixture.assertReads(STAYS);
    }
    fixture.startAll();
  }
}
