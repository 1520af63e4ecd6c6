package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.braid.hdfs.api.FsckReport;
import org.braid.hdfs.api.FsckReport.FileState;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.coordinator.session.RecentClusterState;
import org.braid.hdfs.coordinator.view.Fsck;
import org.braid.hdfs.datanode.BraidDataNodePlugin;
import org.braid.hdfs.dispatch.NameNodeLink;
import org.braid.hdfs.dispatch.Workers;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.proto.BraidProtos.BlockProto;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.HiddenStripeProto;
import org.braid.hdfs.proto.BraidProtos.MemberProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.proto.BraidProtos.TotalsRequestProto;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.stripe.StripeCodec;
import org.braid.hdfs.testing.Descriptions;
import org.braid.testing.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nothing is dropped that may belong to a stripe whose description cannot be read. */
final class UnreadableStripesTest {
  @RegisterExtension
  static final SharedNameNode fixture =
      SharedNameNode.of(5, 5, Map.of("dfs.datanode.plugins", BraidDataNodePlugin.class.getName()));

  private static StripeIndex index() {
    return fixture.plugin().index();
  }

  private static org.apache.hadoop.fs.Path parity(StripeProto stripe) {
    return new org.apache.hadoop.fs.Path(BraidPaths.stripePath(stripe.getId()));
  }

  private static long id(StripeProto stripe) {
    return stripe.getMembers(0).getBlock().getId();
  }

  /** Makes a second copy of the first block on a node without a block of the stripe. */
  private static void copy(StripeProto stripe) throws Exception {
    MemberProto member = stripe.getMembers(0);
    int home = fixture.cluster.indexOf(member.getHome()).orElseThrow();
    for (int i = 0; i < fixture.cluster.nodes(); i++) {
      String uuid = fixture.cluster.uuid(i);
      if (stripe.getMembersList().stream().noneMatch(m -> m.getHome().equals(uuid))) {
        fixture.addReplica(home, i, StripeCodec.of(member.getBlock()));
        return;
      }
    }
  }

  private static void describe(StripeProto stripe, byte[] attribute) throws Exception {
    Descriptions.set(fixture.cluster.nameNode(), parity(stripe), attribute);
  }

  private static Map<String, String> hidden() throws Exception {
    TotalsRequestProto request = TotalsRequestProto.getDefaultInstance();
    return Rpc.call(() -> fixture.stub.totals(null, request)).getHiddenList().stream()
        .collect(
            java.util.stream.Collectors.toMap(
                HiddenStripeProto::getPath, HiddenStripeProto::getProblem));
  }

  private static void awaitOne(StripeProto stripe) throws Exception {
    Set<String> home = Set.of(stripe.getMembers(0).getHome());
    Await.until("the surplus to go", () -> fixture.copies(id(stripe)).equals(home));
  }

  /** The guard decides in the order in which copies come: after the one of a whole stripe. */
  private static void assertBothStay(StripeProto stripe, StripeProto whole) throws Exception {
    copy(stripe);
    Await.until("two copies", () -> fixture.holders(id(stripe)).size() == 2);
    copy(whole);
    awaitOne(whole);
    assertEquals(2, fixture.copies(id(stripe)).size());
    assertEquals(2, fixture.holders(id(stripe)).size());
    assertEquals(Set.of(), fixture.leaving(id(stripe)));
  }

  @Test
  void theLastDescriptionThatCouldBeReadSaysWhichBlocksThereAre() throws Exception {
    StripeProto whole = fixture.encode("/whole");
    StripeProto stripe = fixture.encode("/cut");
    byte[] attribute = fixture.fs.getXAttr(parity(stripe), BraidPaths.STRIPE_XATTR);
    describe(stripe, Arrays.copyOf(attribute, attribute.length / 2));
    assertEquals(
        List.of(stripe.getId()),
        index().known(id(stripe)).stream().map(entry -> entry.stripe().id()).toList());
    assertEquals(Set.of(parity(stripe).toUri().getPath()), hidden().keySet());
    assertTrue(fixture.trim(stripe.getId()).get(0).contains("is not published"));
    assertThrows(AccessControlException.class, () -> fixture.fs.delete(parity(stripe), false));
    assertBothStay(stripe, whole);
    describe(stripe, attribute);
    awaitOne(stripe);
    assertEquals(Map.of(), hidden());
    assertEquals(List.of(), fixture.trim(stripe.getId()));
  }

  @Test
  void whatMayBelongToAStripeThatWasNeverReadStays() throws Exception {
    StripeProto whole = fixture.encode("/whole2");
    StripeProto stripe = fixture.encode("/cut2");
    byte[] attribute = fixture.fs.getXAttr(parity(stripe), BraidPaths.STRIPE_XATTR);
    describe(stripe, Arrays.copyOf(attribute, attribute.length / 2));
    fixture.restart();
    Await.until("the NameNode to know all copies", () -> fixture.holders(id(stripe)).size() == 1);
    String problem = hidden().get(parity(stripe).toUri().getPath());
    assertTrue(problem.contains("cannot be read"), problem);
    org.apache.hadoop.fs.Path parity = new org.apache.hadoop.fs.Path(BraidPaths.STRIPES);
    assertThrows(AccessControlException.class, () -> fixture.fs.delete(parity, true));
    assertThrows(AccessControlException.class, () -> fixture.fs.delete(parity(stripe), false));
    assertBothStay(stripe, whole);
    describe(stripe, attribute);
    fixture.stripes();
    awaitOne(stripe);
    assertEquals(Map.of(), hidden());
  }

  /** The node that it moves to may have another block of the stripe. */
  @Test
  void theSourceOfAMoveStaysThatMayBreakAStripeThatWasNeverRead() throws Exception {
    StripeProto stripe = fixture.encode("/moved");
    byte[] attribute = fixture.fs.getXAttr(parity(stripe), BraidPaths.STRIPE_XATTR);
    describe(stripe, Arrays.copyOf(attribute, attribute.length / 2));
    fixture.restart();
    Await.until("the NameNode to know all copies", () -> fixture.holders(id(stripe)).size() == 1);
    assertEquals(Set.of(parity(stripe).toUri().getPath()), hidden().keySet());
    MemberProto member = stripe.getMembers(0);
    int to = fixture.cluster.indexOf(stripe.getMembers(1).getHome()).orElseThrow();
    fixture.addReplica(
        fixture.cluster.indexOf(member.getHome()).orElseThrow(),
        to,
        StripeCodec.of(member.getBlock()),
        member.getHome(),
        content -> content);
    Await.until("the copy to be known", () -> fixture.copies(id(stripe)).size() == 2);
    // What HDFS decides, it decides as it learns of the copy.
    Await.until("both to be known", () -> fixture.holders(id(stripe)).size() == 2);
    assertEquals(Set.of(), fixture.leaving(id(stripe)));
    describe(stripe, attribute);
    fixture.stripes();
    awaitOne(stripe);
  }

  /** Its last block may be encoded, and new ones are to have more than one copy. */
  @Test
  void aWriteToWhatMayBelongToAStripeThatWasNeverReadChangesNoBlock() throws Exception {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path("/written");
    StripeProto stripe = fixture.encode("/written");
    byte[] attribute = fixture.fs.getXAttr(parity(stripe), BraidPaths.STRIPE_XATTR);
    List<BlockProto> before = blocks("/written");
    describe(stripe, Arrays.copyOf(attribute, attribute.length / 2));
    fixture.restart();
    Await.until("the NameNode to know all copies", () -> fixture.holders(id(stripe)).size() == 1);
    try (FSDataOutputStream out = fixture.fs.append(path)) {
      out.write(1);
    }
    assertEquals(3, fixture.fs.getFileStatus(path).getReplication());
    List<BlockProto> after = blocks("/written");
    assertEquals(before, after.subList(0, before.size()));
    assertEquals(before.size() + 1, after.size());
    long added = after.get(before.size()).getId();
    Await.until("three copies of what was written", () -> fixture.holders(added).size() == 3);
    describe(stripe, attribute);
    fixture.stripes();
    fixture.fs.delete(path, false);
  }

  private static List<BlockProto> blocks(String path) throws Exception {
    return fixture.file(path).getBlocksList().stream().map(BlockStatusProto::getBlock).toList();
  }

  @Test
  void fsckNamesWhatItCannotUseAndGoesOn() throws Exception {
    StripeProto later = fixture.encode("/fsck/a");
    fixture.encode("/fsck/b");
    StripeProto snapshot = fixture.encode("/fsck/c");
    StripeProto free = fixture.encode("/fsck/d");
    describe(later, later.toBuilder().setDigest("00").build().toByteArray());
    org.apache.hadoop.fs.Path top = new org.apache.hadoop.fs.Path("/fsck");
    fixture.fs.allowSnapshot(top);
    fixture.fs.createSnapshot(top, "s");
    fixture.fs.delete(new org.apache.hadoop.fs.Path(top, "c"), false);
    fixture.fs.deleteSnapshot(top, "s");
    fixture.fs.createSnapshot(top, "t");
    fixture.fs.delete(new org.apache.hadoop.fs.Path(top, "d"), false);
    Configuration conf = fixture.cluster.configuration();
    NameNodeLink link = new NameNodeLink(FileSystem.getDefaultUri(conf), conf);
    List<String> heard = new ArrayList<>();
    try (NameNodeCalls calls = new NameNodeCalls(link, 1);
        Workers workers = new Workers(conf, 2000)) {
      Fsck fsck =
          new Fsck(
              calls,
              new RecentClusterState(calls, workers),
              fixture.fs,
              (phase, done, total) -> heard.add(done + " of " + total));
      for (String path : new String[] {"/fsck", "/"}) {
        FsckReport report = fsck.check(path);
        String problem = report.unreadable().get(parity(later).toUri().getPath());
        assertTrue(problem != null && problem.contains("rs-2-1"), report.unreadable().toString());
        Map<String, FileState> files =
            report.files().stream()
                .filter(file -> file.path().startsWith("/fsck"))
                .collect(Collectors.toMap(FileState::path, file -> file));
        boolean all = path.equals("/"); // else stripes of the files that are there are looked at
        assertEquals(
            all ? Set.of("/fsck/a", "/fsck/b", "/fsck/d") : Set.of("/fsck/a", "/fsck/b"),
            files.keySet());
        files.values().forEach(file -> assertEquals(List.of(), file.findings()));
        assertEquals(all, all && files.get("/fsck/d").onlyInSnapshots());
        assertEquals(all, report.orphans().contains(parity(snapshot).toUri().getPath()));
        assertFalse(report.orphans().contains(parity(free).toUri().getPath()));
      }
    }
    assertEquals(List.of("1 of 2", "2 of 3", "2 of 2"), heard.subList(0, 3));
    fixture.fs.deleteSnapshot(top, "t");
  }
}
