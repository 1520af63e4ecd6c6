package org.braid.hdfs.namenode.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.datanode.NodeHeartbeats;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.namenode.BraidNameNodePlugin;
import org.braid.hdfs.namenode.SharedNameNode;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.testing.Await;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What removals hold on to until they have ended: {@code /goes} and {@code /stays} are a stripe,
 * and who asks for copies of blocks is written down and gets none.
 */
final class SafeRemovalsTest {
  private final List<Long> asked = Collections.synchronizedList(new ArrayList<>());
  private final List<Long> givenBack = Collections.synchronizedList(new ArrayList<>());
  @RegisterExtension static final SharedNameNode fixture = SharedNameNode.wiped(4, 4, Map.of());
  private SafeRemovals removals;
  private long goes;
  private long stays;

  @BeforeEach
  void encode() throws Exception {
    BlockStatusProto one = fixture.write("/goes", 1, 3).getBlocks(0);
    BlockStatusProto other = fixture.write("/stays", 1, 3).getBlocks(0);
    StripeProto stripe = fixture.publish("rs-2-1", List.of(one, other), x -> x);
    assertEquals(List.of(), fixture.trim(stripe.getId()));
    for (String path : List.of("/goes", "/stays")) {
      fixture.fs.setReplication(new org.apache.hadoop.fs.Path(path), (short) 1);
    }
    goes = one.getBlock().getId();
    stays = other.getBlock().getId();
    removals = removals(asked::addAll);
  }

  /** Nobody rebuilds anything. */
  private static final class NoRebuilds implements SafeRemovals.Rebuilds {
    @Override
    public boolean await(
        String user, Collection<Long> needed, Collection<Long> useful, Runnable then) {
      return false;
    }

    @Override
    public void ask(String user, Collection<Long> needed) {}
  }

  private SafeRemovals removals(SafeRemovals.Copies more) {
    BraidNameNodePlugin plugin = fixture.plugin();
    return new SafeRemovals(
        plugin.host(),
        plugin.index(),
        new NoRebuilds(),
        more,
        (blocks, drops) -> {
          givenBack.addAll(blocks);
          return Set.of();
        },
        thinned -> {});
  }

  /** The second of two removals still needs what both asked for. */
  @Test
  void copiesStayUntilTheLastRemovalThatNeedsThemEnds() throws Exception {
    PendingRemoval first = removals.look(Removal.file("/goes"));
    PendingRemoval second = removals.look(Removal.content("/goes"));
    assertEquals(List.of(stays, stays), asked);
    first.close();
    assertEquals(List.of(), givenBack);
    first.close();
    assertEquals(List.of(), givenBack, "the end of one counts once");
    second.close();
    assertEquals(List.of(stays), givenBack);
  }

  /** HDFS lets nobody delete a directory with something in it in which he may not write. */
  @Test
  void whoMayNotDeleteWhatIsInADirectoryHasNothingCopied() throws Exception {
    org.apache.hadoop.fs.Path open = new org.apache.hadoop.fs.Path("/open");
    fixture.fs.mkdirs(new org.apache.hadoop.fs.Path(open, "theirs"));
    fixture.fs.setPermission(open, new FsPermission((short) 0777));
    assertTrue(
        fixture.fs.rename(
            new org.apache.hadoop.fs.Path("/goes"),
            new org.apache.hadoop.fs.Path("/open/theirs/goes")));
    UserGroupInformation eve =
        UserGroupInformation.createUserForTesting("eve", new String[] {"users"});
    NameNodeHost host = fixture.plugin().host();
    PrivilegedExceptionAction<Boolean> deletes = () -> host.calls().delete("/open/theirs", true);
    assertThrows(AccessControlException.class, () -> eve.doAs(deletes));
    PrivilegedExceptionAction<PendingRemoval> looks =
        () -> removals.look(Removal.tree("/open/theirs"));
    assertThrows(AccessControlException.class, () -> eve.doAs(looks));
    assertEquals(List.of(), asked);
    removals.look(Removal.tree("/open/theirs")).close();
    assertEquals(List.of(stays), asked, "the owner's deletion is prepared");
  }

  /** Puts {@code /goes} into a directory that all may write, and nobody but owners may empty. */
  private static UserGroupInformation eveAt() throws Exception {
    org.apache.hadoop.fs.Path shared = new org.apache.hadoop.fs.Path("/shared");
    fixture.fs.mkdirs(shared);
    fixture.fs.setPermission(shared, new FsPermission((short) 01777));
    assertTrue(
        fixture.fs.rename(
            new org.apache.hadoop.fs.Path("/goes"), new org.apache.hadoop.fs.Path("/shared/goes")));
    return UserGroupInformation.createUserForTesting("eve", new String[] {"users"});
  }

  /** HDFS lets whoever may write in a directory replace what is in it, whatever its sticky bit. */
  @Test
  void whatAnybodyReplacesInAStickyDirectoryIsPreparedForThat() throws Exception {
    UserGroupInformation eve = eveAt();
    NameNodeHost host = fixture.plugin().host();
    fixture.write("/shared/hers", 1, 3);
    fixture.fs.setOwner(new org.apache.hadoop.fs.Path("/shared/hers"), "eve", "users");
    Removal replaced = Removal.replaced("/shared/goes", "/shared/hers");
    PrivilegedExceptionAction<PendingRemoval> looks = () -> removals.look(replaced);
    eve.doAs(looks).close();
    assertEquals(List.of(stays), asked, "copies of what relies on it");
    PrivilegedExceptionAction<Boolean> renames =
        () -> {
          host.calls().rename2(replaced.other(), replaced.path(), Options.Rename.OVERWRITE);
          return true;
        };
    assertTrue(eve.doAs(renames), "HDFS permits it");
  }

  /** HDFS lets nobody rename what is not his, whatever he may put in its place. */
  @Test
  void whoMayNotRenameTheSourceHasNothingCopied() throws Exception {
    UserGroupInformation eve = eveAt();
    NameNodeHost host = fixture.plugin().host();
    fixture.write("/private/secret", 1, 3);
    fixture.fs.setPermission(
        new org.apache.hadoop.fs.Path("/private"), new FsPermission((short) 0700));
    Removal replaced = Removal.replaced("/shared/goes", "/private/secret");
    fixture.fs.setOwner(new org.apache.hadoop.fs.Path("/shared/goes"), "eve", "users");
    PrivilegedExceptionAction<PendingRemoval> looks = () -> removals.look(replaced);
    assertThrows(AccessControlException.class, () -> eve.doAs(looks));
    assertEquals(List.of(), asked);
    PrivilegedExceptionAction<Boolean> renames =
        () -> {
          host.calls().rename2(replaced.other(), replaced.path(), Options.Rename.OVERWRITE);
          return true;
        };
    assertThrows(AccessControlException.class, () -> eve.doAs(renames));
  }

  /** What is removed does not count for others any more, and then it does. */
  private void assertNothingIsHeld() throws IOException {
    assertEquals(List.of(stays), givenBack);
    asked.clear();
    PendingRemoval other = removals.look(Removal.file("/stays"));
    assertEquals(List.of(goes), asked, "what stays then");
    other.close();
  }

  /** A caller over HTTP, whose thread waits. */
  private Future<Throwable> waiting(ExecutorService thread) throws Exception {
    Future<Throwable> failure =
        thread.submit(
            () ->
                assertThrows(
                    IOException.class, () -> removals.lookPatiently(Removal.file("/goes"))));
    Await.until("copies to be asked for", () -> !asked.isEmpty());
    return failure;
  }

  @Test
  void aWaitThatIsInterruptedLeavesNothingHeld() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    Future<Throwable> failure = waiting(thread);
    thread.shutdownNow();
    assertInstanceOf(InterruptedIOException.class, failure.get(60, TimeUnit.SECONDS));
    assertNothingIsHeld();
  }

  @Test
  void aWaitThatFailsLeavesNothingHeld() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    Future<Throwable> failure = waiting(thread);
    fixture.fs.setSafeMode(SafeModeAction.ENTER);
    assertInstanceOf(SafeModeException.class, failure.get(60, TimeUnit.SECONDS));
    fixture.fs.setSafeMode(SafeModeAction.LEAVE);
    thread.shutdown();
    assertNothingIsHeld();
  }

  @Test
  void aWaitForWhatCannotBeCopiedLeavesNothingHeld() throws Exception {
    removals =
        removals(
            blocks -> {
              asked.addAll(blocks);
              if (asked.size() == 3) {
                throw new IOException("not any more");
              }
            });
    ExecutorService thread = Executors.newSingleThreadExecutor();
    assertEquals("not any more", waiting(thread).get(60, TimeUnit.SECONDS).getMessage());
    thread.shutdown();
    assertNothingIsHeld();
  }

  private static <T> T as(String user, PrivilegedExceptionAction<T> work) throws Exception {
    return UserGroupInformation.createUserForTesting(user, new String[] {"users"}).doAs(work);
  }

  /** Whoever finds no place to wait leaves other files' blocks without a second copy. */
  @Test
  void oneUserTakesNotAllPlacesInWhichRemovalsWait() throws Exception {
    fixture.fs.setPermission(new org.apache.hadoop.fs.Path("/"), new FsPermission((short) 0777));
    Removal removal = Removal.file("/goes");
    List<PendingRemoval> waiting = new ArrayList<>();
    Server.getCurCall()
        .set(new Server.Call(1, 0, null, null, RPC.RpcKind.RPC_PROTOCOL_BUFFER, new byte[16]));
    try {
      for (int i = 0; i < SafeRemovals.MOST_OF_A_USER; i++) {
        waiting.add(as("eve", () -> removals.look(removal)));
        assertFalse(waiting.get(i).goesAtOnce(), "there is a place");
      }
      try (PendingRemoval more = as("eve", () -> removals.look(removal))) {
        assertTrue(more.goesAtOnce(), "all places of a user are taken");
      }
      try (PendingRemoval other = as("adam", () -> removals.look(removal))) {
        assertFalse(other.goesAtOnce(), "others wait");
      }
      waiting.get(0).close();
      try (PendingRemoval again = as("eve", () -> removals.look(removal))) {
        assertFalse(again.goesAtOnce(), "there is a place again");
      }
    } finally {
      Server.getCurCall().remove();
      waiting.forEach(PendingRemoval::close);
    }
  }

  /** What a snapshot has nobody removes, whoever has the file itself. */
  @Test
  void nothingIsCopiedWhereHdfsKeepsWhatASnapshotHas() throws Exception {
    org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path("/");
    fixture.fs.allowSnapshot(root);
    fixture.fs.createSnapshot(root, "s");
    String path = "/.snapshot/s/goes";
    for (Removal removal :
        List.of(
            Removal.tree(path), Removal.file(path), Removal.content(path), Removal.tail(path, 1))) {
      try (PendingRemoval pending = removals.look(removal)) {
        assertTrue(pending.goesAtOnce(), removal + " is held");
      }
      assertEquals(List.of(), asked, removal + " has blocks copied");
    }
  }

  private long holds() {
    return fixture.plugin().host().holds().until().get("braidRemoval").count();
  }

  /** While blocks cannot be read it takes seconds to look at a snapshot: no handler does that. */
  @Test
  void aSnapshotIsLookedAtByNoHandlerWhileBlocksCannotBeRead() throws Exception {
    org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path("/");
    fixture.fs.allowSnapshot(root);
    fixture.fs.createSnapshot(root, "s");
    Removal snapshot = Removal.snapshot("/", "s");
    Server.getCurCall()
        .set(new Server.Call(1, 0, null, null, RPC.RpcKind.RPC_PROTOCOL_BUFFER, new byte[16]));
    try {
      String uuid = fixture.holders(stays).iterator().next();
      NodeHeartbeats.set(
          fixture.cluster.dataNode(fixture.cluster.indexOf(uuid).orElseThrow()), false);
      NameNodeHost host = fixture.plugin().host();
      Await.until("the node to be suspect", () -> host.isSuspect(host.nodes().getDatanode(uuid)));
      try (PendingRemoval pending = removals.look(snapshot)) {
        assertFalse(pending.goesAtOnce(), "it was looked at");
        assertEquals(Set.of(), pending.needing());
        PendingRemoval another = removals.look(snapshot);
        pending.lookAgain(true);
        assertTrue(pending.goesAtOnce(), "nothing is needed");
        long holds = holds();
        another.lookAgain(true);
        assertTrue(another.goesAtOnce());
        assertTrue(holds() - holds < 5, "two that wait share a look");
        holds = holds();
        another.pause();
        another.lookAgain(true);
        assertTrue(holds() - holds >= 5, "which is not that of before");
        another.close();
      }
    } finally {
      Server.getCurCall().remove();
    }
  }

  /** HDFS asks others who may do what, and they may fail: here after the look. */
  @Test
  void aLookThatFailsAtRightsLeavesNothingHeld() throws Exception {
    // A NameNode that began without blocks takes some for missing for ever.
    fixture.restart();
    BlockManager blocks = fixture.cluster.nameNode().getNamesystem().getBlockManager();
    Await.until(
        "all blocks to be known",
        () ->
            blocks.isPopulatingReplQueues()
                && blocks.getReconstructionQueuesInitProgress() >= 1
                && blocks.getMissingBlocksCount() == 0
                && fixture.holders(goes).size() + fixture.holders(stays).size() == 2);
    BraidNameNodePlugin plugin = fixture.plugin();
    RemovalCheck check =
        new RemovalCheck(
            plugin.host(),
            plugin.index(),
            new RemovalCheck.Rights() {
              @Override
              public boolean mayPermit(Removal removal, String top) {
                return true;
              }

              @Override
              public boolean permit(Removal removal, String top) throws IOException {
                throw new IOException("who knows");
              }
            });
    IOException failure = assertThrows(IOException.class, () -> check.of(Removal.file("/goes")));
    assertEquals("who knows", failure.getMessage());
    assertEquals(Set.of(goes), check.permitted(Removal.file("/stays")).bare());
  }
}
