package org.braid.hdfs.namenode.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.server.namenode.AuditLogger;
import org.braid.hdfs.namenode.BraidNameNodePlugin;
import org.braid.hdfs.namenode.SharedNameNode;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.Shares;
import org.braid.hdfs.namenode.moves.DropsBeside;
import org.braid.hdfs.namenode.moves.MovesBeside;
import org.braid.hdfs.namenode.moves.RealPaths;
import org.braid.hdfs.namenode.stripes.Trimmer;
import org.braid.hdfs.namenode.writes.OpenWrites;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.testing.Await;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A block of a stripe is lost, and files of it are renamed while others are removed. */
final class RemovalsBesideMovesTest {
  @RegisterExtension
  static final SharedNameNode fixture =
      SharedNameNode.wiped(6, 6, Map.of("dfs.namenode.audit.loggers", SlowAudit.class.getName()));

  private final MovesBeside moves = new MovesBeside(SafeRemovals.MOVE_MILLIS);
  private PendingRemoval.Shared shared;

  @BeforeEach
  void share() throws Exception {
    BraidNameNodePlugin plugin = fixture.plugin();
    NameNodeHost host = plugin.host();
    shared =
        new PendingRemoval.Shared(
            new RemovalCheck(host, plugin.index()),
            new CopyRequests(more -> {}, fewer -> Set.of(), later -> {}),
            new RealPaths(host),
            moves,
            thinned -> {});
  }

  /** Files of one block each, in a stripe; the last one's block is lost. */
  private long encoded(String code, String... paths) throws Exception {
    List<BlockStatusProto> blocks = new ArrayList<>();
    for (String path : paths) {
      blocks.add(fixture.write(path, 1, 3).getBlocks(0));
    }
    StripeProto stripe = fixture.publish(code, blocks, x -> x);
    assertEquals(List.of(), fixture.trim(stripe.getId()));
    for (String path : paths) {
      fixture.fs.setReplication(new Path(path), (short) 1);
    }
    var lost = blocks.get(blocks.size() - 1).getBlock();
    Await.until("one copy", () -> fixture.holders(lost.getId()).size() == 1);
    fixture.lose(lost);
    return lost.getId();
  }

  private PendingRemoval pending(Removal removal) throws IOException {
    return new PendingRemoval(
        shared,
        removal,
        PathState.of(fixture.plugin().host(), removal),
        new WaitingPlace(new Shares(1, 1), "user", false));
  }

  private long inode(String path) throws IOException {
    return fixture.fs.getClient().getFileInfo(path).getFileId();
  }

  /** As another client's call. */
  private void rename(String from, String to) throws Exception {
    CompletableFuture.runAsync(
            () -> {
              try (MovesBeside.Move move = moves.move(List.of(from), to)) {
                assertTrue(fixture.fs.rename(new Path(from), new Path(to)));
                move.made();
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            })
        .get(60, TimeUnit.SECONDS);
  }

  private void assertSeen(Removal removal, long lost, String from, String to) throws Exception {
    try (PendingRemoval pending = pending(removal)) {
      pending.look();
      assertTrue(pending.goesAtOnce(), "nothing speaks against it before the rename");
      rename(from, to);
      pending.hold();
      assertEquals(Set.of(lost), pending.needing());
      assertFalse(pending.goesAtOnce());
    }
  }

  /** Two parities stand for the lost block and one more, not for two more. */
  @Test
  void whatComesIntoADirectoryThatGoesIsJudged() throws Exception {
    long lost = encoded("rs-3-2", "/d/one", "/two", "/lost");
    assertSeen(Removal.tree("/d"), lost, "/two", "/d/two");
  }

  /** All data of a stripe goes, so that nothing of it is needed, until some of it leaves. */
  @Test
  void whatLeavesADirectoryThatGoesIsJudged() throws Exception {
    long lost = encoded("rs-2-1", "/d/one", "/d/lost");
    assertSeen(Removal.tree("/d"), lost, "/d/lost", "/kept");
  }

  @Test
  void aFileThatTakesThePlaceOfOneThatGoesIsJudged() throws Exception {
    long lost = encoded("rs-2-1", "/one", "/lost");
    fixture.write("/goes", 1, 3);
    try (PendingRemoval pending = pending(Removal.file("/goes"))) {
      pending.look();
      rename("/goes", "/elsewhere");
      rename("/one", "/goes");
      pending.hold();
      assertEquals(Set.of(lost), pending.needing());
    }
  }

  /** What is cut is another file by then, of which the end is needed. */
  @Test
  void aFileThatTakesThePlaceOfOneThatIsCutIsJudged() throws Exception {
    long lost = encoded("rs-2-1", "/one", "/lost");
    fixture.write("/cut", 1, 3);
    try (PendingRemoval pending = pending(Removal.tail("/cut", 1))) {
      pending.look();
      rename("/cut", "/elsewhere");
      rename("/one", "/cut");
      pending.hold();
      assertEquals(Set.of(lost), pending.needing());
    }
  }

  /** Whoever may not remove it has nobody wait and nothing rebuilt, also at the second look. */
  @Test
  void rightsAreLookedAtAgainWhereFilesMove() throws Exception {
    encoded("rs-2-1", "/one", "/lost");
    fixture.write("/goes", 1, 3);
    RemovalCheck.Rights none =
        new RemovalCheck.Rights() {
          @Override
          public boolean mayPermit(Removal removal, String top) {
            return false;
          }

          @Override
          public boolean permit(Removal removal, String top) {
            return false;
          }
        };
    BraidNameNodePlugin plugin = fixture.plugin();
    shared =
        new PendingRemoval.Shared(
            new RemovalCheck(plugin.host(), plugin.index(), none),
            new CopyRequests(more -> {}, fewer -> Set.of(), later -> {}),
            new RealPaths(plugin.host()),
            moves,
            thinned -> {});
    try (PendingRemoval pending = pending(Removal.file("/goes"))) {
      pending.look();
      rename("/goes", "/elsewhere");
      rename("/one", "/goes");
      pending.hold();
      assertEquals(Set.of(), pending.needing());
      assertTrue(pending.goesAtOnce(), "HDFS says no itself");
    }
  }

  /** A block had copies when a removal was judged, and has one before the removal is made. */
  @Test
  void copiesThatAreDroppedBesideARemovalAreMissedByIt() throws Exception {
    BlockStatusProto goes = fixture.write("/d/goes", 1, 3).getBlocks(0);
    BlockStatusProto stays = fixture.write("/stays", 1, 3).getBlocks(0);
    StripeProto stripe = fixture.publish("rs-2-1", List.of(goes, stays), x -> x);
    BraidNameNodePlugin plugin = fixture.plugin();
    NameNodeHost host = plugin.host();
    List<Long> asked = new CopyOnWriteArrayList<>();
    shared =
        new PendingRemoval.Shared(
            new RemovalCheck(host, plugin.index()),
            new CopyRequests(asked::addAll, fewer -> Set.of(), later -> {}),
            new RealPaths(host),
            moves,
            thinned -> {});
    Trimmer trimmer = new Trimmer(host, plugin.index(), new OpenWrites());
    Trimmer.Blocks all = new Trimmer.Blocks(false, Set.of(inode("/d/goes"), inode("/stays")));
    try (PendingRemoval pending = pending(Removal.tree("/d"))) {
      pending.look();
      assertEquals(List.of(), asked);
      elsewhere(
              () -> {
                Trimmer.Fence fence =
                    new DropsBeside(host, plugin.index(), moves, stripe.getId(), () -> {});
                assertEquals(List.of(), trimmer.trim(stripe.getId(), all, fence));
                return true;
              })
          .get(60, TimeUnit.SECONDS);
      pending.hold();
      assertEquals(List.of(stays.getBlock().getId()), asked);
    }
  }

  /** Else whoever stirs it between its looks keeps it from being made. */
  @Test
  void aRemovalThatWaitedIsMadeHoweverOftenSomethingMovesBesideIt() throws Exception {
    encoded("rs-2-1", "/one", "/lost");
    fixture.write("/goes", 1, 3);
    try (PendingRemoval pending = pending(Removal.file("/goes"))) {
      pending.look();
      pending.remember();
      pending.pause();
      pending.lookAgain(true);
      elsewhere(
              () -> {
                try (MovesBeside.Move move = moves.move(List.of("/x"), "/goes/x")) {
                  move.made();
                }
                return true;
              })
          .get(60, TimeUnit.SECONDS);
      pending.holdAgain(true);
      assertTrue(pending.goesAtOnce());
      CompletableFuture<Void> waits = elsewhere(() -> moves.move(List.of("/goes"), "/x"));
      Await.until("it to wait, or to be done", () -> waits.isDone() || somebodyWaits());
      assertFalse(waits.isDone());
    }
  }

  /** A number leads elsewhere between two questions. */
  @Test
  void whatIsRemovedByItsNumberIsFollowedToWhereItIsByNow() throws Exception {
    long lost = encoded("rs-3-2", "/d/one", "/two", "/lost");
    String number = BraidPaths.inode(inode("/d"));
    try (PendingRemoval pending = pending(Removal.tree(number))) {
      CompletableFuture<Void> looked = new CompletableFuture<>();
      Thread thread =
          new Thread(
              () -> {
                try {
                  pending.look();
                  looked.complete(null);
                } catch (IOException e) {
                  looked.completeExceptionally(e);
                }
              });
      synchronized (moves) { // it knows where the number leads, and cannot tell anybody
        thread.start();
        Await.until(
            "it to be told where the number leads",
            () -> thread.getState() == Thread.State.BLOCKED);
        assertTrue(fixture.fs.rename(new Path("/d"), new Path("/e")));
      }
      looked.get(60, TimeUnit.SECONDS);
      rename("/two", "/e/two");
      pending.hold();
      assertEquals(Set.of(lost), pending.needing());
    }
  }

  /** HDFS tells it of a call before it answers the call, and not before it has made it. */
  public static final class SlowAudit implements AuditLogger {
    private static volatile CountDownLatch goOn = new CountDownLatch(0);
    private static volatile CountDownLatch reached = new CountDownLatch(0);
    private static volatile String stopped = "delete";

    static void stop(String command) {
      goOn = new CountDownLatch(1);
      reached = new CountDownLatch(1);
      stopped = command;
    }

    @Override
    public void initialize(Configuration conf) {}

    @Override
    public void logAuditEvent(
        boolean succeeded,
        String user,
        InetAddress address,
        String command,
        String source,
        String target,
        FileStatus status) {
      if (command.equals(stopped)) {
        reached.countDown();
        try {
          assertTrue(goOn.await(60, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }

  private int webHdfs(String method, String request) throws Exception {
    var address = fixture.cluster.nameNode().getHttpAddress();
    URI uri =
        URI.create(
            "http://%s:%d/webhdfs/v1%s&user.name=%s"
                .formatted(
                    address.getHostString(),
                    address.getPort(),
                    request,
                    System.getProperty("user.name")));
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody()).build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  private static CompletableFuture<Void> elsewhere(Callable<?> call) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            call.call();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
  }

  /** A removal is made, and another call waits until it was. */
  private static void assertWaits(String command, Callable<?> removal, Callable<?> call)
      throws Exception {
    SlowAudit.stop(command);
    CompletableFuture<Void> removed = elsewhere(removal);
    assertTrue(SlowAudit.reached.await(60, TimeUnit.SECONDS));
    CompletableFuture<Void> called = elsewhere(call);
    Await.until("it to wait, or to be done", () -> called.isDone() || somebodyWaits());
    assertFalse(called.isDone(), "it has not waited");
    SlowAudit.goOn.countDown();
    removed.get(60, TimeUnit.SECONDS);
    called.get(60, TimeUnit.SECONDS);
  }

  private static boolean somebodyWaits() {
    return Thread.getAllStackTraces().values().stream()
        .flatMap(Arrays::stream)
        .anyMatch(
            frame ->
                frame.getClassName().equals(MovesBeside.class.getName())
                    && frame.getMethodName().equals("await"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void clientsThatRenameWaitForADeletionThatIsBeingMade(boolean webHdfs) throws Exception {
    fixture.write("/d/one", 1, 3);
    fixture.write("/two", 1, 3);
    assertWaits(
        "delete",
        () -> fixture.fs.delete(new Path("/d"), true),
        () ->
            webHdfs
                ? webHdfs("PUT", "/two?op=RENAME&destination=/d/two")
                : fixture.fs.rename(new Path("/two"), new Path("/d/two")));
    assertTrue(fixture.fs.exists(new Path("/two")), "there is no such directory any more");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void clientsThatJoinFilesWaitForADeletionThatIsBeingMade(boolean webHdfs) throws Exception {
    fixture.write("/d/one", 1, 3);
    fixture.write("/two", 1, 3);
    fixture.write("/three", 1, 3);
    assertWaits(
        "delete",
        () -> fixture.fs.delete(new Path("/d"), true),
        () -> {
          if (webHdfs) {
            return webHdfs("POST", "/two?op=CONCAT&sources=/three,/d/one");
          }
          assertThrows(
              IOException.class,
              () ->
                  fixture.fs.concat(
                      new Path("/two"), new Path[] {new Path("/three"), new Path("/d/one")}));
          return true;
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void clientsThatRenameWaitForACutThatIsBeingMade(boolean webHdfs) throws Exception {
    fixture.write("/cut", 2, 3);
    assertWaits(
        "truncate",
        () ->
            webHdfs
                ? webHdfs("POST", "/cut?op=TRUNCATE&newlength=4096")
                : fixture.fs.truncate(new Path("/cut"), 4096),
        () -> fixture.fs.rename(new Path("/cut"), new Path("/elsewhere")));
    assertEquals(4096, fixture.fs.getFileStatus(new Path("/elsewhere")).getLen());
  }

  /** What goes of the file is no block of the stripe. */
  @Test
  void noCopiesAreDroppedWhileAFileOfTheirStripeIsBeingCut() throws Exception {
    BlockStatusProto first = fixture.write("/cut", 2, 3).getBlocks(0);
    BlockStatusProto other = fixture.write("/other", 1, 3).getBlocks(0);
    StripeProto stripe = fixture.publish("rs-2-1", List.of(first, other), x -> x);
    CompletableFuture<List<String>> trimmed = new CompletableFuture<>();
    assertWaits(
        "truncate",
        () -> fixture.fs.truncate(new Path("/cut"), 4096),
        () -> trimmed.complete(fixture.trim(stripe.getId())));
    assertEquals(List.of(), trimmed.get());
  }
}
