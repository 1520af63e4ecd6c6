package org.braid.hdfs.namenode.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.server.namenode.AuditLogger;
import org.braid.hdfs.namenode.BraidNameNodePlugin;
import org.braid.hdfs.namenode.NameNodeFixture;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.Shares;
import org.braid.hdfs.namenode.moves.MovesBeside;
import org.braid.hdfs.namenode.moves.RealPaths;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A block of a stripe is lost, and files of it are renamed while others are removed. */
final class RemovalsBesideMovesTest {
  @TempDir java.nio.file.Path directory;
  private NameNodeFixture fixture;
  private MovesBeside moves;
  private PendingRemoval.Shared shared;

  @BeforeEach
  void start() throws Exception {
    fixture =
        NameNodeFixture.start(
            directory, 6, 6, Map.of("dfs.namenode.audit.loggers", SlowAudit.class.getName()));
    BraidNameNodePlugin plugin = fixture.plugin();
    NameNodeHost host = plugin.host();
    moves = new MovesBeside(SafeRemovals.MOVE_MILLIS);
    shared =
        new PendingRemoval.Shared(
            new RemovalCheck(host, plugin.index()),
            new CopyRequests(more -> {}, fewer -> {}),
            new RealPaths(host),
            moves,
            thinned -> {});
  }

  @AfterEach
  void stop() throws Exception {
    fixture.close();
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

  /** HDFS tells it of a deletion before it answers the call, and not before it has made it. */
  public static final class SlowAudit implements AuditLogger {
    private static volatile CountDownLatch goOn = new CountDownLatch(0);
    private static volatile CountDownLatch deleted = new CountDownLatch(0);

    static void stop() {
      goOn = new CountDownLatch(1);
      deleted = new CountDownLatch(1);
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
      if (command.equals("delete")) {
        deleted.countDown();
        try {
          assertTrue(goOn.await(60, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }

  private int webHdfs(String request) throws Exception {
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
            HttpRequest.newBuilder(uri).PUT(HttpRequest.BodyPublishers.noBody()).build(),
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

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void clientsThatRenameWaitForADeletionThatIsBeingMade(boolean webHdfs) throws Exception {
    fixture.write("/d/one", 1, 3);
    fixture.write("/two", 1, 3);
    SlowAudit.stop();
    CompletableFuture<Void> deleted = elsewhere(() -> fixture.fs.delete(new Path("/d"), true));
    assertTrue(SlowAudit.deleted.await(60, TimeUnit.SECONDS));
    CompletableFuture<Void> renamed =
        elsewhere(
            () ->
                webHdfs
                    ? webHdfs("/two?op=RENAME&destination=/d/two")
                    : fixture.fs.rename(new Path("/two"), new Path("/d/two")));
    Thread.sleep(1000);
    assertFalse(renamed.isDone(), "it has not waited");
    SlowAudit.goOn.countDown();
    deleted.get(60, TimeUnit.SECONDS);
    renamed.get(60, TimeUnit.SECONDS);
    assertTrue(fixture.fs.exists(new Path("/two")), "there is no such directory any more");
  }
}
