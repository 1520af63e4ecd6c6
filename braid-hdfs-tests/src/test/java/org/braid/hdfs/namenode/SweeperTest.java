package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.stripes.Sweeper;
import org.braid.hdfs.namenode.stripes.Sweeper.Swept;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.testing.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Sweeps of which each call looks at a few stripes. */
final class SweeperTest {
  private static final int MOST = 3;

  @RegisterExtension static final SharedNameNode fixture = SharedNameNode.of(4, 4, Map.of());

  private static Sweeper sweeper() {
    return sweeper(stripe -> false);
  }

  private static Sweeper sweeper(Predicate<String> claimed) {
    BraidNameNodePlugin plugin = fixture.plugin();
    return new Sweeper(plugin.host(), plugin.index(), claimed, MOST);
  }

  /** The parity of stripes whose data is deleted. */
  private static Set<String> dead(String name, int stripes) throws Exception {
    FileProto file = fixture.write(name, 2 * stripes, 3);
    Set<String> paths = new HashSet<>();
    for (int i = 0; i < stripes; i++) {
      paths.add(
          BraidPaths.stripePath(
              fixture
                  .publish("rs-2-1", file.getBlocksList().subList(2 * i, 2 * i + 2), x -> x)
                  .getId()));
    }
    fixture.fs.delete(new org.apache.hadoop.fs.Path(name), false);
    return paths;
  }

  private static void live(String name) throws Exception {
    FileProto file = fixture.write(name, 4, 3);
    fixture.publish("rs-2-1", file.getBlocksList().subList(0, 2), x -> x);
    fixture.publish("rs-2-1", file.getBlocksList().subList(2, 4), x -> x);
  }

  /** What was deleted beside leftovers of staging. */
  private static List<String> parity(Swept swept) {
    return swept.deleted().stream()
        .filter(path -> path.startsWith(BraidPaths.STRIPES + "/"))
        .toList();
  }

  @Test
  void aWholeSweepGoesOnWhereThePageEnded() throws Exception {
    live("/live");
    Set<String> dead = dead("/dead", 5);
    int all = fixture.stripes().size();
    Set<String> deleted = new HashSet<>();
    Sweeper sweeper = sweeper();
    String after = "";
    int calls = 0;
    while (true) {
      Swept swept = sweeper.sweep(List.of(), Optional.of(after), () -> {});
      calls++;
      assertTrue(parity(swept).size() <= MOST, swept.toString());
      deleted.addAll(parity(swept));
      if (swept.next().isEmpty()) {
        break;
      }
      assertTrue(swept.next().get().compareTo(after) > 0, swept.toString());
      after = swept.next().get();
    }
    assertEquals(dead, deleted);
    assertEquals((all + MOST - 1) / MOST, calls);
    assertEquals(all - dead.size(), fixture.stripes().size());
  }

  /** Its blocks are replicated until it is trimmed, which who has claimed it is about to do. */
  @Test
  void parityOfReplicatedBlocksStaysWhileTheStripeIsClaimed() throws Exception {
    FileProto file = fixture.write("/claimed", 2, 3);
    String id = fixture.publish("rs-2-1", file.getBlocksList(), x -> x).getId();
    Set<String> path = Set.of(BraidPaths.stripePath(id));
    Optional<String> after = Optional.of("g"); // behind all others
    Swept kept = sweeper(id::equals).sweep(List.of(id), after, () -> {});
    assertEquals(List.of(), parity(kept));
    Predicate<String> all = stripe -> true;
    Swept swept = sweeper(all).sweep(List.of(id), stripe -> false, after, () -> {});
    assertEquals(path, Set.copyOf(parity(swept)));
  }

  /** While HDFS cuts blocks off they aim at what their file wants, and at one replica later. */
  @Test
  void parityStaysOfBlocksThatAimAtReplicasForTheMoment() throws Exception {
    FileProto file = fixture.write("/cut", 2, 3);
    String id = fixture.publish("rs-2-1", file.getBlocksList(), x -> x).getId();
    BlockInfo block = fixture.block(file.getBlocks(0).getBlock().getId());
    Optional<String> after = Optional.of("g"); // behind all others
    Sweeper sweeper = sweeper(stripe -> false);
    NameNodeHost host = fixture.plugin().host();
    boolean begun =
        host.writing(
            "test",
            () -> {
              block.setReplication((short) 1);
              host.aims().beginCut(block, (short) 3);
              return true;
            });
    assertTrue(begun);
    assertEquals(List.of(), parity(sweeper.sweep(List.of(id), after, () -> {})));
    boolean ended =
        host.writing(
            "test",
            () -> {
              host.aims().set(block, (short) 3);
              host.aims().endCut(block);
              return true;
            });
    assertTrue(ended);
    assertEquals(
        List.of(BraidPaths.stripePath(id)), parity(sweeper.sweep(List.of(id), after, () -> {})));
  }

  /** What is decided without the lock may be otherwise when it is done. */
  @Test
  void eachDeletionIsDecidedUnderTheLock() throws Exception {
    dead("/gone", 2);
    fixture.fs.mkdirs(new org.apache.hadoop.fs.Path(BraidPaths.STAGING + "/left/over"));
    NameNodeHost host = fixture.plugin().host();
    AtomicInteger checks = new AtomicInteger();
    Swept swept =
        sweeper()
            .sweep(
                List.of(),
                Optional.of(""),
                () -> {
                  CompletableFuture<Boolean> reader =
                      CompletableFuture.supplyAsync(() -> canRead(host));
                  assertThrows(
                      TimeoutException.class, () -> reader.get(300, TimeUnit.MILLISECONDS));
                  checks.incrementAndGet();
                });
    assertTrue(swept.deleted().contains(BraidPaths.STAGING + "/left"), swept.toString());
    assertTrue(checks.get() >= swept.deleted().size(), checks + " " + swept);
  }

  private static boolean canRead(NameNodeHost host) {
    try {
      return host.reading("test", () -> true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void smallSweepsAreAWholeOneInTime() throws Exception {
    live("/alive");
    Sweeper sweeper = sweeper();
    for (String name : new String[] {"/first", "/second"}) {
      Set<String> dead = dead(name, 5);
      int all = fixture.stripes().size();
      Set<String> deleted = new HashSet<>();
      for (int i = 0; i <= all / MOST; i++) {
        deleted.addAll(parity(sweeper.sweep(List.of(), Optional.empty(), () -> {})));
      }
      assertEquals(dead, deleted);
    }
  }

  /** They owe one for hours after a failover. */
  @Test
  void asksStaleStoragesForTheirReports() throws Exception {
    FileProto file = fixture.write("/stale", 2, 3);
    String id = fixture.publish("rs-2-1", file.getBlocksList(), x -> x).getId();
    for (BlockStatusProto block : file.getBlocksList()) {
      copies(block).forEach(copy -> copy.storage().setBlockContentsStale(true));
    }
    Optional<String> after = Optional.of("g"); // behind all others
    assertEquals(List.of(), parity(sweeper().sweep(List.of(id), after, () -> {})));
    Await.until(
        "reports",
        () ->
            file.getBlocksList().stream()
                .flatMap(block -> copies(block).stream())
                .noneMatch(ReplicaView::stale));
    assertEquals(
        List.of(BraidPaths.stripePath(id)), parity(sweeper().sweep(List.of(id), after, () -> {})));
  }

  private static List<ReplicaView> copies(BlockStatusProto block) {
    return ReplicaView.of(fixture.blocks(), fixture.block(block.getBlock().getId()));
  }
}
