package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.util.RwLockMode;
import org.braid.hdfs.namenode.deferral.LostBlocks;
import org.braid.hdfs.namenode.files.EarLookup;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.lock.LockMode;
import org.braid.hdfs.namenode.moves.RealPaths;
import org.braid.hdfs.testkit.embedded.EmbeddedLocks;
import org.braid.testing.Await;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which locks Braid takes where HDFS locks files and blocks apart. */
final class LockModesTest {
  @TempDir static Path directory;
  private static NameNodeFixture fixture;
  private static NameNodeHost host;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(!EmbeddedLocks.finest().isEmpty(), "Hadoop 3.4 has one lock");
    fixture = NameNodeFixture.start(directory, 1, 1, EmbeddedLocks.finest());
    host = fixture.plugin().host();
  }

  @AfterAll
  static void stop() throws Exception {
    if (fixture != null) {
      fixture.close();
    }
  }

  /** The locks that this thread holds. */
  private static List<RwLockMode> held() {
    FSNamesystem namesystem = host.namesystem();
    List<RwLockMode> held = new ArrayList<>();
    for (RwLockMode mode : RwLockMode.values()) {
      if (namesystem.hasReadLock(mode)) {
        held.add(mode);
      }
    }
    return held;
  }

  @Test
  void aHoldTakesTheLockOfWhatItLooksAt() throws Exception {
    List<RwLockMode> all = List.of(RwLockMode.values());
    assertEquals(all, host.reading("test", LockModesTest::held));
    assertEquals(all, host.writing("test", LockModesTest::held));
    assertEquals(List.of(RwLockMode.FS), host.readingFiles("test", LockModesTest::held));
    assertEquals(List.of(RwLockMode.BM), host.readingBlocks("test", LockModesTest::held));
    assertEquals(List.of(), held());
  }

  @Test
  void aHoldOfFilesMayTakeThatOfBlocksToo() throws Exception {
    List<RwLockMode> all = List.of(RwLockMode.values());
    assertEquals(all, host.readingFiles("test", () -> host.reading("test", LockModesTest::held)));
    assertEquals(
        all, host.readingFiles("test", () -> host.readingBlocks("test", LockModesTest::held)));
    assertEquals(List.of(), held());
  }

  @Test
  void aHoldOfBlocksTakesNoOther() throws Exception {
    assertThrows(
        AssertionError.class,
        () -> host.readingBlocks("test", () -> host.reading("test", LockModesTest::held)));
    assertEquals(List.of(), held());
  }

  /** Whether something is answered while HDFS changes what the lock of a mode protects. */
  private static boolean isAnswered(Callable<?> question, LockMode changing) throws Exception {
    RwLockMode mode = RwLockMode.valueOf(changing.name());
    ExecutorService asker = Executors.newSingleThreadExecutor();
    host.namesystem().writeLock(mode);
    try {
      Future<?> answer = asker.submit(question);
      answer.get(200, TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } finally {
      host.namesystem().writeUnlock(mode, "test");
      asker.shutdown();
    }
  }

  /** HDFS asks for both locks now and then, and who comes later waits behind it. */
  private static void assertAnswered(String what, Callable<?> question, LockMode changing)
      throws Exception {
    Await.until(what + " to be answered", () -> isAnswered(question, changing));
  }

  @Test
  void whoLooksAtFilesDoesNotWaitForBlocks() throws Exception {
    String stripe = "0123456789abcdef".repeat(2);
    assertAnswered("a setting", () -> EarLookup.of(host, "/f"), LockMode.BM);
    assertAnswered("a path", () -> new RealPaths(host).where("/f"), LockMode.BM);
    assertAnswered("a stripe", () -> fixture.plugin().index().published(stripe), LockMode.BM);
  }

  @Test
  void whoLooksAtBlocksDoesNotWaitForFiles() throws Exception {
    LostBlocks lost = new LostBlocks(host, fixture.plugin().index());
    assertAnswered("a block", () -> lost.readable(Set.of(1L)), LockMode.FS);
    assertAnswered("all lost blocks", () -> host.withoutCopies(10), LockMode.FS);
  }
}
