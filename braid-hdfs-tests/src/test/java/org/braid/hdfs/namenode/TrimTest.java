package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.braid.hdfs.fault.FaultStep;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.MemberProto;
import org.braid.hdfs.proto.BraidProtos.PersistRequestProto;
import org.braid.hdfs.proto.BraidProtos.PersistResponseProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.proto.BraidProtos.TrimResponseProto;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.testing.Descriptions;
import org.braid.hdfs.testing.HeldFsck;
import org.braid.hdfs.testing.InjectedFaults;
import org.braid.testing.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TrimTest {
  private static final String FSCK =
      "/checked: hdfs fsck -delete or -move is running there: nothing is dropped meanwhile";

  @RegisterExtension static final SharedNameNode fixture = SharedNameNode.of(5, 10, Map.of());

  @Test
  void keepsExactlyTheHomesOfFortyBlocks() throws Exception {
    Map<Long, String> homes = new HashMap<>();
    List<StripeProto> stripes = new ArrayList<>();
    FileProto file = fixture.write("/exact", 40, 3);
    for (int s = 0; s < 20; s++) {
      stripes.add(
          fixture.publish("rs-2-2", file.getBlocksList().subList(2 * s, 2 * s + 2), x -> x));
    }
    for (StripeProto stripe : stripes) {
      assertEquals(List.of(), fixture.trim(stripe.getId()));
      stripe.getMembersList().forEach(m -> homes.put(m.getBlock().getId(), m.getHome()));
    }
    assertEquals(80, homes.size());
    for (var home : homes.entrySet()) {
      assertEquals(Set.of(home.getValue()), fixture.holders(home.getKey()));
      Await.until(
          "one copy of blk_" + home.getKey(),
          () -> fixture.copies(home.getKey()).equals(Set.of(home.getValue())));
    }
    // Again: nothing to do, nothing lost.
    assertEquals(List.of(), fixture.trim(stripes.get(0).getId()));
  }

  /** HDFS does not say which block it decides on, and all blocks are on the same nodes. */
  @Test
  void homesOfBlocksOnTheSameNodesStayUntilTheStripesAreTrimmed() throws Exception {
    String path = "/alike";
    FileProto file = fixture.write(path, 6, fixture.cluster.nodes());
    List<MemberProto> members = new ArrayList<>();
    for (int s = 0; s < 3; s++) {
      List<BlockStatusProto> data = file.getBlocksList().subList(2 * s, 2 * s + 2);
      members.addAll(fixture.publish("rs-2-2", data, x -> x).getMembersList().subList(0, 2));
    }
    fixture.fs.setReplication(new Path(path), (short) 6);
    for (MemberProto member : members) {
      Set<String> holders = fixture.holders(member.getBlock().getId());
      assertEquals(6, holders.size());
      assertTrue(holders.contains(member.getHome()), () -> "the home is to go: " + holders);
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
    FileProto file = fixture.write("/refused", 2, 3);
    StripeProto stripe = fixture.publish("rs-2-2", file.getBlocksList(), x -> x);
    Set<String> used = new HashSet<>();
    file.getBlocks(0).getReplicasList().forEach(r -> used.add(r.getNode()));
    String other = "";
    for (int i = 0; i < fixture.cluster.nodes(); i++) {
      other = used.contains(fixture.cluster.uuid(i)) ? other : fixture.cluster.uuid(i);
    }
    String elsewhere = other;
    for (Wrong wrong :
        List.of(
            new Wrong(s -> s.toBuilder().setVerified(false).build(), "parity is not verified"),
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
            new Wrong(member(0, m -> m.setHome(elsewhere)), "has 3 replicas, none at its home"),
            new Wrong(
                member(
                    0,
                    m ->
                        m.setBlock(stripe.getMembers(2).getBlock())
                            .setHome(stripe.getMembers(2).getHome())),
                "holds 2 of its blocks, at most 1 is promised"))) {
      fixture.put(BraidPaths.stripePath(stripe.getId()), wrong.change.apply(stripe));
      assertRefused(stripe, wrong.reason, file);
    }
    fixture.put(BraidPaths.stripePath(stripe.getId()), stripe);
    assertEquals(List.of(), fixture.trim(stripe.getId()));
  }

  /** What this version cannot use is not written; what stands in the namespace is left alone. */
  @Test
  void refusesWhatItCannotUse() throws Exception {
    FileProto file = fixture.write("/unusable", 2, 3);
    StripeProto stripe = fixture.publish("rs-2-2", file.getBlocksList(), x -> x);
    String path = BraidPaths.stripePath(stripe.getId());
    for (Wrong wrong :
        List.of(
            new Wrong(s -> s.toBuilder().setCode("rs-3-1").build(), "another matrix"),
            new Wrong(s -> s.toBuilder().setCode("rs-3-2").build(), "rs-3-2 has 5 blocks"),
            new Wrong(s -> s.toBuilder().setCode("soup-1").build(), "soup"),
            new Wrong(
                s ->
                    s.toBuilder()
                        .clearMembers()
                        .addAllMembers(s.getMembersList().subList(0, 3))
                        .build(),
                "it has 3 members, rs-2-2 has 4 blocks"),
            new Wrong(member(3, MemberProto.Builder::clearBlock), "a parity without a block"),
            new Wrong(s -> s.toBuilder().setVersion(3).build(), "described in version 3"))) {
      StripeProto changed = wrong.change.apply(stripe);
      IOException refused = assertThrows(IOException.class, () -> fixture.put(path, changed));
      assertTrue(refused.getMessage().contains(wrong.reason), refused.getMessage());
      Descriptions.set(fixture.cluster.nameNode(), new Path(path), changed.toByteArray());
      assertRefused(stripe, wrong.reason, file);
      assertFalse(fixture.sweep().contains(path), wrong.reason);
      assertArrayEquals(
          changed.toByteArray(), fixture.fs.getXAttr(new Path(path), BraidPaths.STRIPE_XATTR));
    }
    fixture.put(path, stripe);
    assertEquals(List.of(), fixture.trim(stripe.getId()));
  }

  private static void assertRefused(StripeProto stripe, String reason, FileProto file)
      throws Exception {
    List<String> refusals = fixture.trim(stripe.getId());
    assertTrue(
        refusals.stream().anyMatch(r -> r.contains(reason)), reason + " is not in " + refusals);
    for (BlockStatusProto block : file.getBlocksList()) {
      assertEquals(3, fixture.holders(block.getBlock().getId()).size(), "after " + reason);
    }
  }

  @Test
  void refusesWhatIsNotPublished() throws Exception {
    String id = "0123456789abcdef0123456789abcdef";
    assertEquals(
        List.of("stripe " + id + " is not published: no parity file describes it"),
        fixture.trim(id));
  }

  /** Where a home is and what it is come from HDFS; MemberCheckTest has all cases. */
  @Test
  void refusesHomesInABadState() throws Exception {
    FileProto file = fixture.write("/bad", 2, 3);
    StripeProto stripe = fixture.publish("rs-2-2", file.getBlocksList(), x -> x);
    String home = stripe.getMembers(1).getHome();
    var descriptor = fixture.blocks().getDatanodeManager().getDatanode(home);
    descriptor.startDecommission();
    try {
      assertRefused(stripe, "is on a node in state Decommission In Progress", file);
    } finally {
      descriptor.stopDecommission();
    }
    fixture.fs.allowSnapshot(new Path("/"));
    fixture.fs.createSnapshot(new Path("/"), "s");
    assertRefused(stripe, "is held by a snapshot at more than 1 replica", file);
    assertFalse(fixture.answerToTrim(stripe.getId(), false).getRepeatable(), "waiting helps");
    fixture.fs.deleteSnapshot(new Path("/"), "s");
    fixture.fs.disallowSnapshot(new Path("/"));
    long block = stripe.getMembers(0).getBlock().getId();
    markCorrupt(block, stripe.getMembers(0).getHome());
    List<String> refusals = fixture.trim(stripe.getId());
    assertTrue(
        refusals.stream().anyMatch(r -> r.contains("is corrupt") || r.contains("none at its home")),
        refusals.toString());
    assertTrue(fixture.holders(block).size() >= 2);
  }

  @Test
  void aWriterIsNotWaitedFor() throws Exception {
    FileProto file = fixture.write("/written", 2, 3);
    StripeProto stripe = fixture.publish("rs-2-2", file.getBlocksList(), x -> x);
    try (FSDataOutputStream out = fixture.fs.append(new Path("/written"))) {
      out.write(1);
      out.hflush();
      assertRefused(stripe, "its file is open for writing", file);
      assertFalse(fixture.answerToTrim(stripe.getId(), false).getRepeatable(), "it may have died");
    }
    assertEquals(List.of(), fixture.trim(stripe.getId()));
  }

  /** What it deletes passes nobody, and it looked at what is encoded before it began. */
  @Test
  void dropsNothingWhileFsckMayDelete() throws Exception {
    HeldFsck.install(fixture.cluster.nameNode());
    FileProto file = fixture.write("/checked", 2, 3);
    try (HeldFsck fsck = HeldFsck.begin(fixture.cluster.nameNode(), "/checked", "delete")) {
      StripeProto stripe = fixture.publish("rs-2-2", file.getBlocksList(), x -> x);
      assertEquals(List.of(FSCK), fixture.trim(stripe.getId()));
      assertFalse(fixture.answerToTrim(stripe.getId(), false).getRepeatable(), "it may take long");
      assertRefused(stripe, FSCK, file);
      assertTrue(fsck.end().contains("HEALTHY"));
      assertEquals(List.of(), fixture.trim(stripe.getId()));
      assertEquals(List.of(), persist(file).getRefusalsList());
    }
  }

  private static PersistResponseProto persist(FileProto file) throws IOException {
    return Rpc.call(
        () ->
            fixture.stub.persist(
                null,
                PersistRequestProto.newBuilder()
                    .setLease(fixture.lease)
                    .setInode(file.getInode())
                    .build()));
  }

  /** HDFS finds files by path: another one must not get the replication of one that is deleted. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aFileInThePlaceOfADeletedOneKeepsItsReplication(boolean withItsParent) throws Exception {
    Path directory = new Path("/replaced" + withItsParent);
    Path path = new Path(directory, "d/f");
    FileProto file = fixture.write(path.toString(), 2, 3);
    StripeProto stripe = fixture.publish("rs-2-2", file.getBlocksList(), x -> x);
    fixture.fs.allowSnapshot(directory);
    fixture.fs.createSnapshot(directory, "one");
    assertTrue(fixture.fs.delete(withItsParent ? path.getParent() : path, true));
    fixture.write(path.toString(), 2, 3);
    fixture.fs.createSnapshot(directory, "two");
    assertFalse(persist(file).getRefusalsList().isEmpty(), "persisted");
    assertRefused(stripe, "is held by a snapshot at more than 1 replica", file);
    assertEquals(3, fixture.fs.getFileStatus(path).getReplication());
    fixture.fs.deleteSnapshot(directory, "one");
    fixture.fs.deleteSnapshot(directory, "two");
    fixture.fs.disallowSnapshot(directory);
  }

  private static void markCorrupt(long block, String uuid) throws Exception {
    var namesystem = fixture.cluster.nameNode().getNamesystem();
    namesystem.writeLock();
    try {
      fixture
          .blocks()
          .findAndMarkBlockAsCorrupt(
              new ExtendedBlock(namesystem.getBlockPoolId(), fixture.block(block)),
              fixture.blocks().getDatanodeManager().getDatanode(uuid),
              null,
              "test");
    } finally {
      namesystem.writeUnlock("test");
    }
  }

  @Test
  void dropsCorruptReplicasWithTheOthers() throws Exception {
    FileProto file = fixture.write("/corrupt", 2, 3);
    StripeProto stripe = fixture.publish("rs-2-2", file.getBlocksList(), x -> x);
    long block = stripe.getMembers(0).getBlock().getId();
    String home = stripe.getMembers(0).getHome();
    String bad =
        file.getBlocks(0).getReplicasList().stream()
            .map(r -> r.getNode())
            .filter(n -> !n.equals(home))
            .findFirst()
            .orElseThrow();
    fixture.heartbeats(false); // no node hears that it is to make another copy
    try {
      markCorrupt(block, bad);
      assertEquals(List.of(), fixture.trim(stripe.getId()));
      assertEquals(Set.of(home), fixture.holders(block));
    } finally {
      fixture.heartbeats(true);
    }
    Await.until("one copy on disk", () -> fixture.copies(block).equals(Set.of(home)));
  }

  /** A repair of one block is no reason to take copies of another one that users want. */
  @Test
  void leavesReplicasThatUsersWant() throws Exception {
    FileProto wanted = fixture.write("/wanted", 1, 3);
    FileProto other = fixture.write("/other", 1, 3);
    StripeProto stripe = publish("rs-2-2", wanted, other);
    assertEquals(List.of(), fixture.trim(stripe.getId()));
    long id = wanted.getBlocks(0).getBlock().getId();
    fixture.raise(wanted.getInode(), 3);
    Await.until("three replicas", () -> fixture.holders(id).size() == 3);
    assertEquals(List.of(), fixture.trim(stripe.getId(), true));
    assertEquals(3, fixture.holders(id).size());
    assertEquals(3, fixture.block(id).getReplication());
  }

  /** All that were to be converted may have been joined to others meanwhile. */
  @Test
  void takesNoReplicasOfFilesThatNobodyNamed() throws Exception {
    FileProto file = fixture.write("/unnamed", 1, 3);
    FileProto named = fixture.write("/named", 1, 3);
    StripeProto stripe = publish("rs-2-2", file, named);
    long id = file.getBlocks(0).getBlock().getId();
    assertEquals(
        List.of(), fixture.answerToTrim(stripe.getId(), false, Set.of()).getRefusalsList());
    assertEquals(3, fixture.holders(id).size());
    assertEquals(
        List.of(),
        fixture.answerToTrim(stripe.getId(), false, Set.of(named.getInode())).getRefusalsList());
    assertEquals(3, fixture.holders(id).size());
    assertEquals(1, fixture.holders(named.getBlocks(0).getBlock().getId()).size());
  }

  @Test
  void asksStaleStoragesForTheirReports() throws Exception {
    FileProto file = fixture.write("/stale", 2, 3);
    StripeProto stripe = fixture.publish("rs-2-2", file.getBlocksList(), x -> x);
    for (BlockStatusProto block : file.getBlocksList()) {
      setStale(block.getBlock().getId(), true);
    }
    // No handler waits for them: whoever asks, asks again.
    TrimResponseProto answer = fixture.answerToTrim(stripe.getId(), false);
    assertTrue(answer.getRefusals(0).contains("a full block report is awaited"), answer.toString());
    assertTrue(answer.getRepeatable());
    Await.until("reports", () -> fixture.trim(stripe.getId()).isEmpty());
    for (MemberProto member : stripe.getMembersList()) {
      assertEquals(Set.of(member.getHome()), fixture.holders(member.getBlock().getId()));
    }
  }

  /** A stripe of the first blocks of two files. */
  private static StripeProto publish(String code, FileProto one, FileProto other) throws Exception {
    return fixture.publish(code, List.of(one.getBlocks(0), other.getBlocks(0)), x -> x);
  }

  private static void append(String path) throws IOException {
    try (FSDataOutputStream out = fixture.fs.append(new Path(path))) {
      out.write(1);
    }
  }

  /** What is left of a stripe that lost data has its copies and nothing else. */
  @Test
  void aWriteDropsNoCopyOfWhatCannotBeRebuilt() throws Exception {
    FileProto goes = fixture.write("/left/goes", 1, 3);
    FileProto stays = fixture.write("/left/stays", 2, 3);
    StripeProto stripe = publish("rs-2-1", goes, stays);
    assertEquals(List.of(), fixture.trim(stripe.getId()));
    fixture.fs.setReplication(new Path("/left/goes"), (short) 1);
    fixture.fs.setReplication(new Path("/left/stays"), (short) 1);
    long left = stays.getBlocks(0).getBlock().getId();
    fixture.fs.delete(new Path("/left/goes"), false);
    Await.until("copies of what is left", () -> fixture.holders(left).size() == 3);
    // As when the NameNode has just started: it takes a block to be as its file is.
    fixture
        .plugin()
        .host()
        .writing(
            "test",
            () -> {
              fixture.blocks().setReplication((short) 3, (short) 1, fixture.block(left));
              return true;
            });
    append("/left/stays");
    assertEquals(3, fixture.holders(left).size());
  }

  private static void setStale(long block, boolean stale) {
    for (ReplicaView replica : ReplicaView.of(fixture.blocks(), fixture.block(block))) {
      replica.storage().setBlockContentsStale(stale);
    }
  }

  /** After a failover storages count as stale for hours: that is no reason to copy a whole file. */
  @Test
  void aWriteHasNoEncodedBlockCopied() throws Exception {
    StripeProto stripe = fixture.encode("/stays");
    long first = stripe.getMembers(0).getBlock().getId();
    setStale(first, true);
    append("/stays");
    setStale(first, false); // for other tests
    assertEquals(3, fixture.fs.getFileStatus(new Path("/stays")).getReplication());
    assertEquals(1, fixture.block(first).getReplication());
    assertEquals(Set.of(stripe.getMembers(0).getHome()), fixture.holders(first));
  }

  @Test
  void goesOnAfterAStopHalfWay() throws Exception {
    FileProto file = fixture.write("/half", 2, 3);
    StripeProto stripe = fixture.publish("rs-2-2", file.getBlocksList(), x -> x);
    InjectedFaults.install(
        (step, detail) -> {
          if (step == FaultStep.NAMENODE_TRIM_BLOCK) {
            throw new IOException("stopped half-way");
          }
        });
    try {
      IOException stopped = assertThrows(IOException.class, () -> fixture.trim(stripe.getId()));
      assertTrue(String.valueOf(stopped.getMessage()).contains("stopped half-way"));
    } finally {
      InjectedFaults.clear();
    }
    assertEquals(1, fixture.holders(file.getBlocks(0).getBlock().getId()).size());
    assertEquals(3, fixture.holders(file.getBlocks(1).getBlock().getId()).size());
    // Raising heals: the file says 3, one block aims at 1.
    fixture.raise(file.getInode(), 3);
    Await.until(
        "three replicas again",
        () -> fixture.holders(file.getBlocks(0).getBlock().getId()).size() == 3);
    assertEquals(3, fixture.block(file.getBlocks(0).getBlock().getId()).getReplication());
    // And trimming can be repeated, once the stripe's blocks are at their homes.
    Await.until("the stripe to be trimmed", () -> fixture.trim(stripe.getId()).isEmpty());
    fixture.fs.setReplication(new Path("/half"), (short) 1);
    fixture.raise(file.getInode(), 2);
    assertEquals(2, fixture.file("/half").getReplication());
    Await.until(
        "two replicas",
        () ->
            fixture.file("/half").getBlocksList().stream()
                .allMatch(b -> b.getReplicasCount() == 2));
    fixture.raise(file.getInode(), 1000);
    assertEquals(512, fixture.file("/half").getReplication(), "more HDFS does not allow");
    fixture.fs.setReplication(new Path("/half"), (short) 2);
    FileNotFoundException gone =
        assertThrows(FileNotFoundException.class, () -> fixture.raise(1L << 40, 3));
    assertTrue(String.valueOf(gone.getMessage()).contains("no file has inode"), gone.getMessage());
  }

  /** Users ask for more replicas while a conversion runs, which persists nothing then. */
  @Test
  void blocksAreRaisedToTheLargerOfWhatIsRecordedAndWhatUsersAskFor() throws Exception {
    FileProto kept = fixture.write("/more/kept", 1, 3);
    FileProto lost = fixture.write("/more/lost", 1, 3);
    StripeProto stripe = publish("rs-2-2", kept, lost);
    var path = new Path("/more/kept");
    fixture.fs.setReplication(path, (short) 4);
    Await.until("the stripe to be trimmed", () -> fixture.trim(stripe.getId()).isEmpty());
    long block = kept.getBlocks(0).getBlock().getId();
    assertEquals(1, fixture.block(block).getReplication());
    fixture.fs.delete(new Path("/more/lost"), false);
    fixture.protect(stripe.getId());
    assertEquals(4, fixture.block(block).getReplication());
  }
}
