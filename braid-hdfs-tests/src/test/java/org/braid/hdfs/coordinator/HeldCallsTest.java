package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.Block;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.ConvertRequest.Encode;
import org.braid.hdfs.api.ConvertRequest.Encoder;
import org.braid.hdfs.api.ConvertRequest.Group;
import org.braid.hdfs.api.ConvertRequest.Homes;
import org.braid.hdfs.api.ConvertRequest.Method;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A removal waits for copies, and users put something else in its place meanwhile, its client dead
 * or alive: what was held touches nothing that came after it.
 */
final class HeldCallsTest {
  private static final Random RANDOM = Seeds.random(HeldCallsTest.class);
  private static final int BLOCK = ClusterFixture.BLOCK;
  private static final String GONE = "/s/gone";
  private static final String STAYS = "/s/stays";

  @RegisterExtension
  static final SharedCluster fixture = new SharedCluster(6, 6, HeldCopies.CONFIGURATION);

  private static HeldCopies copies;

  @TempDir java.nio.file.Path directory;

  @BeforeAll
  static void hold() throws Exception {
    copies = new HeldCopies(fixture.hdfs.nameNode());
  }

  @AfterAll
  static void stop() throws Exception {
    copies.close();
  }

  @BeforeEach
  void write() throws Exception {
    fixture.write(GONE, 2 * BLOCK, 3, RANDOM);
    fixture.write(STAYS, BLOCK, 3, RANDOM);
    Method method = new Method(Encoder.CORE_RACK, Group.ORDER, Encode.GATHER, Homes.EVEN);
    assertEquals(List.of(), fixture.convert(method, "rs-3-2", "/s").skipped());
    assertEquals(1, fixture.stripes().size());
    copies.hold();
  }

  @AfterEach
  void clear() throws Exception {
    copies.release();
    fixture.deleteAll();
  }

  /** HDFS's own shell, in a process that can be killed. */
  private Process shell(String... args) throws Exception {
    for (String site : List.of("core-site.xml", "hdfs-site.xml")) {
      Files.writeString(directory.resolve(site), "<configuration/>");
    }
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    List<String> command =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + "/bin/java",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-cp",
                directory + ":" + classPath,
                FsShell.class.getName(),
                "-fs",
                fixture.hdfs.uri()));
    command.addAll(List.of(args));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("out").toFile())
        .start();
  }

  private static List<Integer> expected(String path) throws Exception {
    return fixture.files(path).get(0).blocks().stream().map(BlockStatus::expected).toList();
  }

  /** Another file is where the old one was when the call is held, and stays as it is. */
  private void assertNothingElseIsTouched(
      Process shell, boolean dies, Await.Condition<Exception> ended) throws Exception {
    try {
      assertTrue(shell.isAlive(), Files.readString(directory.resolve("out")));
      if (dies) {
        shell.destroyForcibly();
        assertTrue(shell.waitFor(20, TimeUnit.SECONDS));
      }
      assertTrue(fixture.fs.rename(new Path(GONE), new Path("/kept")));
      fixture.write(GONE, 3 * BLOCK, 3, RANDOM);
      copies.release();
      if (!dies) {
        assertTrue(shell.waitFor(60, TimeUnit.SECONDS));
        String said = Files.readString(directory.resolve("out"));
        assertTrue(
            said.contains("is not what it was when this call came")
                // A cut is seen before it is held: HDFS refuses it then.
                || said.contains("truncate: File does not exist"),
            said);
      }
      Await.until("the call to have ended", ended);
      fixture.assertReads(GONE);
      assertEquals(2 * BLOCK, fixture.fs.getFileStatus(new Path("/kept")).getLen());
    } finally {
      shell.destroyForcibly();
    }
    fixture.fs.delete(new Path("/kept"), false);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nothingElseIsDeleted(boolean dies) throws Exception {
    Process shell = shell("-rm", "-skipTrash", GONE);
    Await.until("the removal to be held", () -> expected(STAYS).equals(List.of(3)));
    assertNothingElseIsTouched(shell, dies, () -> expected(STAYS).equals(List.of(1)));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nothingElseIsOverwritten(boolean dies) throws Exception {
    java.nio.file.Path local = Files.createFile(directory.resolve("local"));
    Process shell = shell("-put", "-f", "-d", local.toString(), GONE);
    Await.until("the removal to be held", () -> expected(STAYS).equals(List.of(3)));
    assertNothingElseIsTouched(shell, dies, () -> expected(STAYS).equals(List.of(1)));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nothingElseIsCut(boolean dies) throws Exception {
    Process shell = shell("-truncate", Integer.toString(BLOCK + 5), GONE);
    Await.until("the cut to be held", () -> expected(GONE).get(1) == 3);
    // Long before that it is seen that its caller is gone, or its path.
    assertNothingElseIsTouched(
        shell, dies, () -> fixture.files("/kept").get(0).blocks().get(1).replicas().size() == 3);
  }

  private static void hold(CountDownLatch until) throws IOException {
    try {
      until.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new InterruptedIOException("held");
    }
  }

  /** An append that waits for the last block of its file to be rebuilt. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void nothingElseIsOpened(boolean dies) throws Exception {
    assumeTrue(dies || Boolean.getBoolean("braid.long"), "in the long run");
    java.nio.file.Path more = Files.write(directory.resolve("more"), new byte[] {1, 2, 3});
    copies.release();
    CountDownLatch repairs = new CountDownLatch(1);
    Process shell = null;
    try (WatchingCoordinator watch = new WatchingCoordinator(fixture, 3_600_000).awaitWatching();
        Cluster cluster = fixture.braid()) {
      InjectedFaults.install(
          (step, detail) -> {
            if (step == FaultStep.REPAIR_PLANNED) {
              hold(repairs);
            }
          });
      int lost = fixture.homes(fixture.stripes().get(0)).get(1);
      fixture.hdfs.stopNode(lost);
      fixture.hdfs.awaitDead(lost);
      Await.until(
          "a block without a copy",
          () ->
              fixture.files(GONE).get(0).blocks().get(1).replicas().stream()
                  .noneMatch(replica -> replica.live()));
      shell = shell("-appendToFile", more.toString(), GONE);
      Await.until("it to wait", () -> cluster.status("/").coordination().waiting() > 0);
      if (dies) {
        shell.destroyForcibly();
        assertTrue(shell.waitFor(20, TimeUnit.SECONDS));
      }
      assertTrue(fixture.fs.rename(new Path(GONE), new Path("/kept")));
      fixture.write(GONE, BLOCK + 100, 3, RANDOM);
      repairs.countDown();
      Await.until("nobody to wait", () -> cluster.status("/").coordination().waiting() == 0);
      if (!dies) {
        assertTrue(shell.waitFor(60, TimeUnit.SECONDS));
        String said = Files.readString(directory.resolve("out"));
        assertTrue(said.contains("is not what it was when this call came"), said);
      }
      assertTrue(watch.end().demanded() > 0);
      assertTrue(fixture.fs.isFileClosed(new Path(GONE)), "opened for whoever is gone");
      fixture.assertReads(GONE);
      assertEquals(2 * BLOCK, fixture.fs.getFileStatus(new Path("/kept")).getLen());
    } finally {
      InjectedFaults.clear();
      repairs.countDown();
      if (shell != null) {
        shell.destroyForcibly();
      }
      fixture.startAll();
    }
    fixture.fs.delete(new Path("/kept"), false);
  }

  /** A call of a user, and what another user does while it is held. */
  enum Meanwhile {
    DELETE_AND_CREATE_BELOW,
    DELETE_AND_MOVE_BELOW,
    DELETE_AND_APPEND_BELOW,
    DELETE_AND_APPEND,
    OVERWRITE_AND_APPEND,
    RENAME_ONTO_AND_APPEND,
    RENAME_ONTO_AND_REPLACE_SOURCE,
    TRUNCATE_AND_APPEND;

    private static final Path DIRECTORY = new Path("/d");
    private static final Path BELOW = new Path("/d/gone");
    private static final Path SOURCE = new Path("/source");

    private boolean isBelow() {
      return this == DELETE_AND_CREATE_BELOW
          || this == DELETE_AND_MOVE_BELOW
          || this == DELETE_AND_APPEND_BELOW;
    }

    /** Where the file of the held call is. */
    Path file() {
      return isBelow() ? BELOW : new Path(GONE);
    }

    void prepare() throws Exception {
      if (isBelow()) {
        fixture.fs.mkdirs(DIRECTORY);
        assertTrue(fixture.fs.rename(new Path(GONE), BELOW));
      }
      fixture.fs.create(SOURCE).close();
    }

    void call() throws IOException {
      switch (this) {
        case DELETE_AND_CREATE_BELOW, DELETE_AND_MOVE_BELOW, DELETE_AND_APPEND_BELOW ->
            fixture.fs.delete(DIRECTORY, true);
        case DELETE_AND_APPEND -> fixture.fs.delete(file(), false);
        case OVERWRITE_AND_APPEND -> fixture.fs.create(file(), true).close();
        case RENAME_ONTO_AND_APPEND, RENAME_ONTO_AND_REPLACE_SOURCE ->
            FileContext.getFileContext(fixture.fs.getUri(), fixture.fs.getConf())
                .rename(SOURCE, file(), Options.Rename.OVERWRITE);
        case TRUNCATE_AND_APPEND -> fixture.fs.truncate(file(), BLOCK + 5);
      }
    }

    boolean isHeld() throws Exception {
      return this == TRUNCATE_AND_APPEND
          ? expected(GONE).get(1) == 3
          : expected(STAYS).equals(List.of(3));
    }

    /** What the other one does; returns the bytes of each file that must be there afterwards. */
    Map<Path, Long> happen() throws Exception {
      switch (this) {
        case DELETE_AND_CREATE_BELOW -> {
          Path made = new Path(DIRECTORY, "new");
          write(fixture.fs.create(made));
          return Map.of(file(), 2L * BLOCK, made, 3L);
        }
        case DELETE_AND_MOVE_BELOW -> {
          Path sub = new Path(DIRECTORY, "sub");
          assertTrue(fixture.fs.rename(SOURCE, sub));
          return Map.of(file(), 2L * BLOCK, sub, 0L);
        }
        case RENAME_ONTO_AND_REPLACE_SOURCE -> {
          assertTrue(fixture.fs.delete(SOURCE, false));
          write(fixture.fs.create(SOURCE));
          return Map.of(file(), 2L * BLOCK, SOURCE, 3L);
        }
        case DELETE_AND_APPEND_BELOW,
            DELETE_AND_APPEND,
            OVERWRITE_AND_APPEND,
            RENAME_ONTO_AND_APPEND,
            TRUNCATE_AND_APPEND -> {
          write(fixture.fs.append(file()));
          return Map.of(file(), 2L * BLOCK + 3);
        }
      }
      throw new AssertionError(this);
    }

    private static void write(FSDataOutputStream out) throws IOException {
      try (out) {
        out.write(new byte[] {1, 2, 3});
      }
    }

    void clear() throws IOException {
      fixture.fs.delete(DIRECTORY, true);
      fixture.fs.delete(SOURCE, false);
    }
  }

  private static void assertKept(Map<Path, Long> lengths) throws IOException {
    for (Map.Entry<Path, Long> file : lengths.entrySet()) {
      assertEquals(file.getValue(), fixture.fs.getFileStatus(file.getKey()).getLen());
    }
  }

  /** The caller waits, and hears that somebody else wrote. */
  @ParameterizedTest
  @EnumSource
  void whatOthersWroteMeanwhileStays(Meanwhile meanwhile) throws Exception {
    ExecutorService client = Executors.newSingleThreadExecutor();
    meanwhile.prepare();
    try {
      Future<String> said =
          client.submit(
              () -> String.valueOf(assertThrows(IOException.class, meanwhile::call).getMessage()));
      Await.until("the call to be held", meanwhile::isHeld);
      Map<Path, Long> kept = meanwhile.happen();
      copies.release();
      String message = said.get(60, TimeUnit.SECONDS);
      assertTrue(message.contains("is not what it was when this call came"), message);
      assertKept(kept);
    } finally {
      client.shutdownNow();
    }
    if (meanwhile != Meanwhile.TRUNCATE_AND_APPEND) {
      Await.until("copies to be given back", () -> expected(STAYS).equals(List.of(1)));
    }
    meanwhile.clear();
  }

  /** The caller gives up, and its process lives: HDFS's client keeps its connection. */
  @Test
  void whatComesAfterACallerThatGaveUpStays() throws Exception {
    Meanwhile meanwhile = Meanwhile.DELETE_AND_CREATE_BELOW;
    meanwhile.prepare();
    Thread caller =
        new Thread(() -> assertThrows(InterruptedIOException.class, meanwhile::call), "caller");
    caller.start();
    Await.until("the call to be held", meanwhile::isHeld);
    caller.interrupt();
    caller.join();
    Map<Path, Long> kept = meanwhile.happen();
    copies.release();
    Await.until(
        "the held call to end",
        () -> expected(STAYS).equals(List.of(1)) || !fixture.fs.exists(meanwhile.file()));
    assertKept(kept);
    meanwhile.clear();
  }

  /** An unchanged directory goes, whatever lies in the future; WebHDFS waits, too. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatNobodyChangedGoes(boolean webHdfs) throws Exception {
    Meanwhile meanwhile = Meanwhile.DELETE_AND_CREATE_BELOW;
    copies.release();
    meanwhile.prepare();
    fixture.fs.setTimes(meanwhile.file(), System.currentTimeMillis() + 3_600_000, -1);
    if (webHdfs) {
      assertEquals(200, deleteOverWebHdfs());
    } else {
      meanwhile.call();
    }
    assertFalse(fixture.fs.exists(Meanwhile.DIRECTORY));
    meanwhile.clear();
  }

  @Test
  void whatOthersWroteMeanwhileStaysOverWebHdfs() throws Exception {
    ExecutorService client = Executors.newSingleThreadExecutor();
    Meanwhile meanwhile = Meanwhile.DELETE_AND_CREATE_BELOW;
    meanwhile.prepare();
    try {
      Future<Integer> status = client.submit(HeldCallsTest::deleteOverWebHdfs);
      Await.until("the call to be held", meanwhile::isHeld);
      Map<Path, Long> kept = meanwhile.happen();
      copies.release();
      assertEquals(403, status.get(60, TimeUnit.SECONDS));
      assertKept(kept);
    } finally {
      client.shutdownNow();
    }
    Await.until("copies to be given back", () -> expected(STAYS).equals(List.of(1)));
    meanwhile.clear();
  }

  private static int deleteOverWebHdfs() throws Exception {
    var address = fixture.hdfs.nameNode().getHttpAddress();
    URI uri =
        URI.create(
            "http://%s:%d/webhdfs/v1%s?op=DELETE&recursive=true&user.name=%s"
                .formatted(
                    address.getHostString(),
                    address.getPort(),
                    Meanwhile.DIRECTORY,
                    System.getProperty("user.name")));
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).DELETE().build(), HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  /** The only copy of a block is lost. */
  private static void lose(BlockIdentity block) throws Exception {
    for (String uuid : Movers.holders(fixture, block)) {
      fixture
          .hdfs
          .dataNode(fixture.hdfs.indexOf(uuid).orElseThrow())
          .getFSDataset()
          .invalidate(
              fixture.hdfs.nameNode().getNamesystem().getBlockPoolId(),
              new Block[] {new Block(block.id(), block.length(), block.generation())});
    }
    Await.until("the loss to be reported", () -> Movers.holders(fixture, block).isEmpty());
  }

  /**
   * What only snapshots have is looked at in stripes that miss a block, here one of two parities.
   */
  @Test
  void anotherSnapshotOfTheNameStays() throws Exception {
    Path root = Meanwhile.DIRECTORY;
    fixture.fs.mkdirs(root);
    assertTrue(fixture.fs.rename(new Path(GONE), Meanwhile.BELOW));
    fixture.fs.allowSnapshot(root);
    fixture.fs.createSnapshot(root, "before");
    assertTrue(fixture.fs.delete(Meanwhile.BELOW, false));
    Await.until("copies to be given back", () -> expected(STAYS).equals(List.of(1)));
    lose(fixture.stripes().get(0).stripe().member(4).block());
    ExecutorService client = Executors.newSingleThreadExecutor();
    try {
      Future<String> said =
          client.submit(
              () ->
                  String.valueOf(
                      assertThrows(
                              IOException.class, () -> fixture.fs.deleteSnapshot(root, "before"))
                          .getMessage()));
      Await.until("the call to be held", () -> expected(STAYS).equals(List.of(3)));
      fixture.fs.renameSnapshot(root, "before", "kept");
      fixture.fs.createSnapshot(root, "before");
      copies.release();
      String message = said.get(60, TimeUnit.SECONDS);
      assertTrue(message.contains("is not what it was when this call came"), message);
    } finally {
      client.shutdownNow();
    }
    Await.until("copies to be given back", () -> expected(STAYS).equals(List.of(1)));
    for (String name : List.of("before", "kept")) {
      fixture.fs.deleteSnapshot(root, name);
    }
    fixture.fs.disallowSnapshot(root);
    fixture.fs.delete(root, true);
  }
}
