package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.util.RwLockMode;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.fault.Faults;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.MemberProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.rpc.BraidPaths;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TrimTest {
  @TempDir static Path directory;
  private static Bed bed;

  @BeforeAll
  static void start() throws Exception {
    bed = Bed.start(directory, 5, 10, Map.of());
  }

  @AfterAll
  static void stop() throws Exception {
    bed.close();
  }

  @Test
  void keepsExactlyTheHomesOfFortyBlocks() throws Exception {
    Map<Long, String> homes = new HashMap<>();
    List<StripeProto> stripes = new ArrayList<>();
    FileProto file = bed.write("/exact", 40, 3);
    for (int s = 0; s < 20; s++) {
      stripes.add(bed.publish("rs-2-2", file.getBlocksList().subList(2 * s, 2 * s + 2), x -> x));
    }
    for (StripeProto stripe : stripes) {
      assertEquals(List.of(), bed.trim(stripe.getId()));
      stripe.getMembersList().forEach(m -> homes.put(m.getBlock().getId(), m.getHome()));
    }
    assertEquals(80, homes.size());
    for (var home : homes.entrySet()) {
      assertEquals(Set.of(home.getValue()), bed.holders(home.getKey()));
      Await.until(
          "one copy of blk_" + home.getKey(),
          () -> bed.copies(home.getKey()).equals(Set.of(home.getValue())));
    }
    // Again: nothing to do, nothing lost.
    assertEquals(List.of(), bed.trim(stripes.get(0).getId()));
    assertTrue(bed.fs.setReplication(new org.apache.hadoop.fs.Path("/exact"), (short) 1));
    bed.restart();
    for (var home : homes.entrySet()) {
      Await.until(
          "one replica of blk_" + home.getKey() + " after a restart",
          () -> bed.holders(home.getKey()).equals(Set.of(home.getValue())));
    }
  }

  /** A description that does not hold, and what the refusal says. */
  private record Wrong(UnaryOperator<StripeProto> change, String reason) {}

  private static UnaryOperator<StripeProto> member(int i, Consumer<MemberProto.Builder> change) {
    return stripe -> {
      StripeProto.Builder changed = stripe.toBuilder();
      change.accept(changed.getMembersBuilder(i));
      return changed.build();
    };
  }

  @Test
  void refusesWhatBreaksAPromise() throws Exception {
    FileProto file = bed.write("/refused", 2, 3);
    StripeProto stripe = bed.publish("rs-2-2", file.getBlocksList(), x -> x);
    Set<String> used = new HashSet<>();
    file.getBlocks(0).getReplicasList().forEach(r -> used.add(r.getNode()));
    String other = "";
    for (int i = 0; i < bed.cluster.nodes(); i++) {
      other = used.contains(bed.cluster.uuid(i)) ? other : bed.cluster.uuid(i);
    }
    String elsewhere = other;
    for (Wrong wrong :
        List.of(
            new Wrong(s -> s.toBuilder().setVerified(false).build(), "parity is not verified"),
            new Wrong(s -> s.toBuilder().setCode("rs-3-2").build(), "has 4 members of 5"),
            new Wrong(s -> s.toBuilder().setCode("soup-1").build(), "soup"),
            new Wrong(
                s -> s.toBuilder().setPerRack(0).build(), "a rack may hold 0 blocks of a stripe"),
            new Wrong(
                s -> s.toBuilder().addTargetRacks("/rack99").build(),
                "is none of its 1 target racks"),
            new Wrong(
                member(0, m -> m.getBlockBuilder().setGeneration(9)),
                "is gone or changed: recorded are generation 9 and 4096 bytes"),
            new Wrong(member(1, m -> m.getBlockBuilder().setLength(9)), "is gone or changed"),
            new Wrong(member(3, m -> m.getBlockBuilder().setId(9)), "blk_9 is gone or changed"),
            new Wrong(member(3, MemberProto.Builder::clearBlock), "a parity without a block"),
            new Wrong(member(0, m -> m.setHome(elsewhere)), "has 3 replicas, none at its home"),
            new Wrong(
                member(
                    0,
                    m ->
                        m.setBlock(stripe.getMembers(2).getBlock())
                            .setHome(stripe.getMembers(2).getHome())),
                "holds 2 of its blocks, at most 1 is promised"))) {
      bed.put(BraidPaths.stripePath(stripe.getId()), wrong.change.apply(stripe));
      assertRefused(stripe, wrong.reason, file);
    }
    bed.put(BraidPaths.stripePath(stripe.getId()), stripe);
    assertEquals(List.of(), bed.trim(stripe.getId()));
  }

  private static void assertRefused(StripeProto stripe, String reason, FileProto file)
      throws Exception {
    List<String> refusals = bed.trim(stripe.getId());
    assertTrue(
        refusals.stream().anyMatch(r -> r.contains(reason)), reason + " is not in " + refusals);
    for (BlockStatusProto block : file.getBlocksList()) {
      assertEquals(3, bed.holders(block.getBlock().getId()).size(), "after " + reason);
    }
  }

  @Test
  void refusesWhatIsNotPublished() throws Exception {
    String id = "0123456789abcdef0123456789abcdef";
    assertEquals(
        List.of("stripe " + id + " is not published: no parity file describes it"), bed.trim(id));
  }

  @Test
  void refusesHomesInABadState() throws Exception {
    FileProto file = bed.write("/bad", 2, 3);
    StripeProto stripe = bed.publish("rs-2-2", file.getBlocksList(), x -> x);
    String home = stripe.getMembers(1).getHome();
    int node = bed.cluster.indexOf(home).orElseThrow();
    var descriptor = bed.blocks().getDatanodeManager().getDatanode(home);
    descriptor.startDecommission();
    try {
      assertRefused(stripe, "is on a node in state Decommission In Progress", file);
    } finally {
      descriptor.stopDecommission();
    }
    bed.cluster.dataNode(node).setHeartbeatsDisabledForTests(true);
    try {
      Await.until("the home to be suspect", () -> ReplicaView.silence(descriptor) > 4500);
      assertRefused(stripe, "ms, at most 4000 are allowed", file);
    } finally {
      bed.cluster.dataNode(node).setHeartbeatsDisabledForTests(false);
    }
    Await.until("the home to speak again", () -> ReplicaView.silence(descriptor) < 2000);
    bed.fs.allowSnapshot(new org.apache.hadoop.fs.Path("/"));
    bed.fs.createSnapshot(new org.apache.hadoop.fs.Path("/"), "s");
    assertRefused(stripe, "is held by a snapshot at more than 1 replica", file);
    bed.fs.deleteSnapshot(new org.apache.hadoop.fs.Path("/"), "s");
    bed.fs.disallowSnapshot(new org.apache.hadoop.fs.Path("/"));
    long block = stripe.getMembers(0).getBlock().getId();
    markCorrupt(block, stripe.getMembers(0).getHome());
    List<String> refusals = bed.trim(stripe.getId());
    assertTrue(
        refusals.stream().anyMatch(r -> r.contains("is corrupt") || r.contains("none at its home")),
        refusals.toString());
    assertTrue(bed.holders(block).size() >= 2);
  }

  private static void markCorrupt(long block, String uuid) throws Exception {
    var namesystem = bed.cluster.nameNode().getNamesystem();
    namesystem.writeLock(RwLockMode.GLOBAL);
    try {
      bed.blocks()
          .findAndMarkBlockAsCorrupt(
              new ExtendedBlock(namesystem.getBlockPoolId(), bed.block(block)),
              bed.blocks().getDatanodeManager().getDatanode(uuid),
              null,
              "test");
    } finally {
      namesystem.writeUnlock(RwLockMode.GLOBAL, "test");
    }
  }

  @Test
  void dropsCorruptReplicasWithTheOthers() throws Exception {
    FileProto file = bed.write("/corrupt", 2, 3);
    StripeProto stripe = bed.publish("rs-2-2", file.getBlocksList(), x -> x);
    long block = stripe.getMembers(0).getBlock().getId();
    String home = stripe.getMembers(0).getHome();
    String bad =
        file.getBlocks(0).getReplicasList().stream()
            .map(r -> r.getNode())
            .filter(n -> !n.equals(home))
            .findFirst()
            .orElseThrow();
    markCorrupt(block, bad);
    assertEquals(List.of(), bed.trim(stripe.getId()));
    assertEquals(Set.of(home), bed.holders(block));
    Await.until("one copy on disk", () -> bed.copies(block).equals(Set.of(home)));
  }

  @Test
  void asksStaleStoragesForTheirReports() throws Exception {
    FileProto file = bed.write("/stale", 2, 3);
    StripeProto stripe = bed.publish("rs-2-2", file.getBlocksList(), x -> x);
    for (BlockStatusProto block : file.getBlocksList()) {
      for (ReplicaView replica :
          ReplicaView.of(bed.blocks(), bed.block(block.getBlock().getId()))) {
        replica.storage().setBlockContentsStale(true);
      }
    }
    assertEquals(List.of(), bed.trim(stripe.getId()));
    for (MemberProto member : stripe.getMembersList()) {
      assertEquals(Set.of(member.getHome()), bed.holders(member.getBlock().getId()));
    }
  }

  @Test
  void goesOnAfterAStopHalfWay() throws Exception {
    FileProto file = bed.write("/half", 2, 3);
    StripeProto stripe = bed.publish("rs-2-2", file.getBlocksList(), x -> x);
    Faults.install(
        (step, detail) -> {
          if (step == FaultStep.NAMENODE_TRIM_BLOCK) {
            throw new IOException("stopped half-way");
          }
        });
    try {
      IOException stopped = assertThrows(IOException.class, () -> bed.trim(stripe.getId()));
      assertTrue(String.valueOf(stopped.getMessage()).contains("stopped half-way"));
    } finally {
      Faults.clear();
    }
    assertEquals(1, bed.holders(file.getBlocks(0).getBlock().getId()).size());
    assertEquals(3, bed.holders(file.getBlocks(1).getBlock().getId()).size());
    // Raising heals: the file says 3, one block aims at 1.
    bed.raise(file.getInode(), 3);
    Await.until(
        "three replicas again",
        () -> bed.holders(file.getBlocks(0).getBlock().getId()).size() == 3);
    assertEquals(3, bed.block(file.getBlocks(0).getBlock().getId()).getReplication());
    // And trimming can be repeated, once the stripe's blocks are at their homes.
    Await.until("the stripe to be trimmed", () -> bed.trim(stripe.getId()).isEmpty());
    bed.fs.setReplication(new org.apache.hadoop.fs.Path("/half"), (short) 1);
    bed.raise(file.getInode(), 2);
    assertEquals(2, bed.file("/half").getReplication());
    Await.until(
        "two replicas",
        () -> bed.file("/half").getBlocksList().stream().allMatch(b -> b.getReplicasCount() == 2));
    FileNotFoundException gone =
        assertThrows(FileNotFoundException.class, () -> bed.raise(1L << 40, 3));
    assertTrue(String.valueOf(gone.getMessage()).contains("no file has inode"), gone.getMessage());
  }
}
