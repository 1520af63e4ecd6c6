package org.braid.hdfs.namenode.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.namenode.BraidNameNodePlugin;
import org.braid.hdfs.namenode.SharedNameNode;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.namenode.writes.OpenWrites;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.testing.Descriptions;
import org.braid.testing.Await;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Where fsck may delete files, and what may not move there meanwhile. */
final class FsckGuardTest {
  private static final org.apache.hadoop.fs.Path E = new org.apache.hadoop.fs.Path("/e");
  @RegisterExtension static final SharedNameNode fixture = SharedNameNode.of(4, 4, Map.of());
  private static StripeProto stripe;

  @BeforeAll
  static void prepare() throws Exception {
    stripe =
        fixture.publish(
            "rs-2-1",
            List.of(
                fixture.write("/e/a", 1, 3).getBlocks(0), fixture.write("/e/b", 1, 3).getBlocks(0)),
            x -> x);
    for (String path : List.of("/plain/sub", "/plain2")) {
      fixture.fs.mkdirs(new org.apache.hadoop.fs.Path(path));
    }
  }

  private static FsckGuard guard(long waitMillis) {
    return guard(new OpenWrites(), waitMillis);
  }

  private static FsckGuard guard(OpenWrites open, long waitMillis) {
    BraidNameNodePlugin plugin = fixture.plugin();
    return new FsckGuard(plugin.host(), plugin.index(), open, waitMillis);
  }

  private static String against(FsckGuard guard, String path) throws Exception {
    try (FsckGuard.Run run = guard.begin(path)) {
      return guard.against(run).orElse("");
    }
  }

  @Test
  void nothingIsDeletedWhereConvertedFilesOrParityAre() throws Exception {
    FsckGuard guard = guard(0);
    for (String path : List.of("/", "/e", "/e/a", "//e/")) {
      assertTrue(against(guard, path).contains("perhaps others are converted"), path);
    }
    for (String path :
        List.of("/.braid", "/.braid/stripes", BraidPaths.stripePath(stripe.getId()))) {
      assertTrue(against(guard, path).contains("the parity of 1 stripes"), path);
    }
    for (String path : List.of("/plain", "/plain/sub", "/none", "/e2")) {
      assertEquals("", against(guard, path));
    }
  }

  @Test
  void nothingIsDeletedAnywhereWhileADescriptionCannotBeRead() throws Exception {
    org.apache.hadoop.fs.Path parity =
        new org.apache.hadoop.fs.Path(BraidPaths.stripePath(stripe.getId()));
    byte[] attribute = fixture.fs.getXAttr(parity, BraidPaths.STRIPE_XATTR);
    Descriptions.set(
        fixture.cluster.nameNode(), parity, Arrays.copyOf(attribute, attribute.length / 2));
    FsckGuard guard = guard(0);
    for (String path : List.of("/", "/e", "/plain")) {
      assertTrue(against(guard, path).contains("descriptions of 1 stripes cannot be read"), path);
    }
    Descriptions.set(fixture.cluster.nameNode(), parity, attribute);
    assertEquals("", against(guard, "/plain"));
  }

  /** What NameNodes with millions of stripes and small directories have. */
  @Test
  void onlyStripesOfFilesBelowItsPathAreRead() throws Exception {
    List<org.apache.hadoop.fs.Path> parity = new ArrayList<>();
    for (String file : List.of("/many/a/f", "/many/b/f", "/many/c/f")) {
      StripeProto made =
          fixture.publish("rs-2-1", fixture.write(file, 2, 3).getBlocksList(), x -> x);
      parity.add(new org.apache.hadoop.fs.Path(BraidPaths.stripePath(made.getId())));
    }
    // Nobody else reads this index, which counts those that it could read once, and cannot now.
    StripeIndex index = new StripeIndex(fixture.plugin().host());
    index.ensure();
    Map<org.apache.hadoop.fs.Path, byte[]> descriptions = new HashMap<>();
    for (org.apache.hadoop.fs.Path path : parity) {
      byte[] attribute = fixture.fs.getXAttr(path, BraidPaths.STRIPE_XATTR);
      descriptions.put(path, attribute);
      Descriptions.set(fixture.cluster.nameNode(), path, Arrays.copyOf(attribute, 5));
    }
    FsckGuard guard = new FsckGuard(fixture.plugin().host(), index, new OpenWrites(), 0);
    try {
      assertEquals("", against(guard, "/plain"));
      assertEquals(
          Map.of(), index.hidden().named(), "stripes that were read, none of which is there");
      assertTrue(against(guard, "/many/b").contains("descriptions of 1 stripes cannot be read"));
      assertEquals(Set.of(parity.get(1).toString()), index.hidden().named().keySet());
    } finally {
      for (Map.Entry<org.apache.hadoop.fs.Path, byte[]> entry : descriptions.entrySet()) {
        Descriptions.set(fixture.cluster.nameNode(), entry.getKey(), entry.getValue());
      }
    }
    for (String path : List.of("/many", "/many/a", "/many/c/f")) {
      assertTrue(against(guard, path).contains("perhaps others are converted"), path);
    }
    fixture.fs.delete(new org.apache.hadoop.fs.Path("/many"), true);
  }

  /** There are fewer stripes than files, so that stripes are gone through. */
  @Test
  void whatIsConvertedIsFoundBelowDirectoriesOfMoreFilesThanStripes() throws Exception {
    for (int i = 0; i < 1100; i++) {
      fixture.fs.mkdirs(new org.apache.hadoop.fs.Path("/wide/" + i));
    }
    FsckGuard guard = guard(0);
    assertEquals("", against(guard, "/wide"));
    fixture.publish("rs-2-1", fixture.write("/wide/z/f", 2, 3).getBlocksList(), x -> x);
    String told = against(guard, "/wide");
    assertTrue(told.contains("/wide/z/f and perhaps others are converted"), told);
    assertEquals("", against(guard, "/wide/0"));
    fixture.fs.delete(new org.apache.hadoop.fs.Path("/wide"), true);
  }

  private static Optional<String> move(FsckGuard guard, String from, String to) throws Exception {
    try (FsckGuard.Move move = guard.move(List.of("/plain2", from), to)) {
      return move.against();
    }
  }

  @Test
  void whatIsConvertedDoesNotComeBelowItsPath() throws Exception {
    FsckGuard guard = guard(0);
    long plain = fixture.fs.getClient().getFileInfo("/plain").getFileId();
    assertEquals(Optional.empty(), move(guard, "/e", "/plain/e"));
    try (FsckGuard.Run run = guard.begin("/plain")) {
      assertEquals(Optional.empty(), guard.against(run));
      for (String to :
          List.of(
              "/plain", "/plain/x", "//plain/sub/x", "/", "/.reserved/.inodes/" + plain + "/x")) {
        for (String from : List.of("/e", "/e/a", "/.reserved/raw/e")) {
          assertTrue(move(guard, from, to).isPresent(), from + " to " + to);
        }
        assertEquals(Optional.empty(), move(guard, "/plain2", to));
      }
      assertEquals(Optional.empty(), move(guard, "/e", "/plain2/e"));
      assertEquals(Optional.empty(), move(guard, "/none", "/plain/e"));
      assertEquals(Optional.empty(), run.stopped());
    }
    assertEquals(Optional.empty(), move(guard, "/e", "/plain/e"));
  }

  /** HDFS itself says that they may not, whatever is there. */
  @Test
  void whoMayNotMoveAFileIsNotToldWhetherItIsConverted() throws Exception {
    FsckGuard guard = guard(0);
    UserGroupInformation eve =
        UserGroupInformation.createUserForTesting("eve", new String[] {"users"});
    PrivilegedExceptionAction<Optional<String>> moves = () -> move(guard, "/e/a", "/plain/e");
    fixture.fs.setPermission(E, new FsPermission((short) 0700));
    try (FsckGuard.Run run = guard.begin("/plain")) {
      assertEquals(Optional.empty(), guard.against(run));
      assertEquals(Optional.empty(), eve.doAs(moves));
      assertTrue(moves.run().isPresent(), "the owner is refused");
    } finally {
      fixture.fs.setPermission(E, new FsPermission((short) 0755));
    }
  }

  /** Whoever moves what is his to where he may not list hears no name of it. */
  @Test
  void nobodyHearsWhereAnotherLooks() throws Exception {
    FsckGuard guard = guard(0);
    org.apache.hadoop.fs.Path closed = new org.apache.hadoop.fs.Path("/closed");
    fixture.fs.mkdirs(new org.apache.hadoop.fs.Path(closed, "name-7f3a"));
    fixture.fs.setPermission(closed, new FsPermission((short) 0700));
    fixture.fs.setPermission(E, new FsPermission((short) 0777));
    UserGroupInformation eve =
        UserGroupInformation.createUserForTesting("eve", new String[] {"users"});
    PrivilegedExceptionAction<Optional<String>> moves = () -> move(guard, "/e/a", "/closed");
    try (FsckGuard.Run run = guard.begin("/closed/name-7f3a")) {
      assertEquals(Optional.empty(), guard.against(run));
      String told = eve.doAs(moves).orElse("");
      assertTrue(told.contains("cannot be moved"), told);
      assertFalse(told.contains("name-7f3a"), told);
      assertTrue(moves.run().orElse("").contains("name-7f3a"), "a superuser is told");
    } finally {
      fixture.fs.setPermission(E, new FsPermission((short) 0755));
    }
  }

  /** HDFS lists the whole namespace below its reserved names. */
  @Test
  void reservedNamesAreTheWholeNamespace() throws Exception {
    FsckGuard guard = guard(0);
    for (String path :
        List.of(
            "/.reserved",
            "//.reserved/",
            "/.reserved/raw",
            "/.reserved/raw/",
            "/.reserved/.inodes")) {
      assertTrue(against(guard, path).contains("perhaps others are converted"), path);
    }
    for (String path : List.of("/.reserved/.inodes/99999999", "/.reserved/.inodes/99999999/x")) {
      assertTrue(against(guard, path).contains("perhaps others are converted"), path);
    }
  }

  /** Its source was something else when the move was looked at. */
  @Test
  void aMoveThatTookMoreThanWasSeenStopsIt() throws Exception {
    FsckGuard guard = guard(0);
    try (FsckGuard.Run run = guard.begin("/plain");
        FsckGuard.Run other = guard.begin("/plain2");
        FsckGuard.Move move = guard.move(List.of("/source"), "/plain/e")) {
      assertEquals(Optional.empty(), move.against());
      assertTrue(fixture.fs.rename(E, new org.apache.hadoop.fs.Path("/plain/e")));
      move.made();
      assertTrue(run.stopped().orElse("").contains("was moved to where it looks"));
      assertEquals(Optional.empty(), other.stopped());
    } finally {
      assertTrue(fixture.fs.rename(new org.apache.hadoop.fs.Path("/plain/e"), E));
    }
  }

  /** Only what it may come to keeps its replicas; also what is on the way there. */
  @Test
  void dropsElsewhereGoOn() throws Exception {
    OpenWrites open = new OpenWrites();
    FsckGuard guard = guard(open, 0);
    try (FsckGuard.Run run = guard.begin("/plain")) {
      assertTrue(run.reaches("/plain"));
      assertTrue(run.reaches("/plain/x"));
      assertFalse(run.reaches("/plain2"));
      assertFalse(run.reaches("/e/a"));
      try (FsckGuard.Move away = guard.move(List.of("/e/a"), "/plain2/a")) {
        assertEquals(Optional.empty(), away.against());
        assertFalse(run.reaches("/e/a"));
      }
      try (FsckGuard.Move move = guard.move(List.of("/none"), "/plain/a")) {
        assertEquals(Optional.empty(), move.against());
        assertTrue(run.reaches("/e/a"), "it may be what moves");
      }
      assertFalse(run.reaches("/e/a"));
    }
  }

  @Test
  void moreThanOneRunAtATime() throws Exception {
    FsckGuard guard = guard(0);
    FsckGuard.Run one = guard.begin("/plain");
    try (FsckGuard.Run other = guard.begin("/plain")) {
      one.close();
      one.close();
      assertEquals(Optional.empty(), guard.against(other));
      assertTrue(move(guard, "/e", "/plain/e").isPresent());
    }
  }

  /** It may have looked before fsck began, and be made after fsck has looked. */
  @Test
  void aMoveThatCameBeforeIsWaitedFor() throws Exception {
    FsckGuard hasty = guard(0);
    try (FsckGuard.Move unused = hasty.move(List.of("/x"), "/y")) {
      assertTrue(against(hasty, "/plain").contains("are being renamed that came before it"));
    }
    FsckGuard guard = guard(60_000);
    FsckGuard.Move before = guard.move(List.of("/x"), "/y");
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (FsckGuard.Run run = guard.begin("/plain");
        FsckGuard.Move after = guard.move(List.of("/x"), "/y")) {
      Future<Optional<String>> answer = thread.submit(() -> guard.against(run));
      Await.stays("an answer during the move", Duration.ofMillis(200), false, answer::isDone);
      before.close();
      assertEquals(Optional.empty(), answer.get(60, TimeUnit.SECONDS));
      after.close();
    } finally {
      thread.shutdown();
    }
  }
}
