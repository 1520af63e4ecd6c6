package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.server.datanode.NodeHeartbeats;
import org.braid.hdfs.namenode.calls.Removal;
import org.braid.hdfs.namenode.calls.RemovalCheck;
import org.braid.hdfs.namenode.calls.RemovalCheck.Verdict;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.testing.Await;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What blocks that users remove are still needed for, with other removals and other stripes. */
final class RemovalCheckTest {
  @RegisterExtension static final SharedNameNode fixture = SharedNameNode.wiped(6, 6, Map.of());
  private RemovalCheck check;
  private BlockStatusProto one;
  private BlockStatusProto two;
  private BlockStatusProto lost;

  @BeforeEach
  void prepare() throws Exception {
    BraidNameNodePlugin plugin = fixture.plugin();
    check = new RemovalCheck(plugin.host(), plugin.index());
    one = write("/one");
    two = write("/two");
    lost = write("/lost");
  }

  private static BlockStatusProto write(String path) throws Exception {
    return fixture.write(path, 1, 3).getBlocks(0);
  }

  private StripeProto encode(String code, BlockStatusProto... data) throws Exception {
    StripeProto stripe = fixture.publish(code, List.of(data), x -> x);
    assertEquals(List.of(), fixture.trim(stripe.getId()));
    return stripe;
  }

  /** The block of {@code /lost} has no copy any more. */
  private void lose() throws Exception {
    fixture.lose(lost.getBlock());
    NameNodeHost host = fixture.plugin().host();
    Await.until(
        "all nodes to be trusted",
        () -> host.nodes().getDatanodes().stream().noneMatch(host::isSuspect));
  }

  private Verdict remove(String path) throws Exception {
    return check.permitted(Removal.file(path));
  }

  /** Two parities stand for the lost block and one more, not for two more. */
  @Test
  void twoRemovalsAtOnceDoNotCountOnEachOther() throws Exception {
    encode("rs-3-2", one, two, lost);
    lose();
    Verdict first = remove("/one");
    assertEquals(Set.of(), first.needing());
    assertEquals(Set.of(lost.getBlock().getId()), remove("/two").needing());
    assertEquals(Set.of(), remove("/one").needing(), "the same once more, as clients repeat it");
    check.release(first);
    check.release(first);
    assertEquals(Set.of(), remove("/two").needing());
  }

  /** A block in a later stripe is still what others of the earlier one are rebuilt from. */
  @Test
  void earlierStripesCount() throws Exception {
    encode("rs-2-1", one, lost);
    encode("rs-2-1", one, two);
    lose();
    assertEquals(Set.of(lost.getBlock().getId()), remove("/one").needing());
    assertEquals(Set.of(), remove("/two").needing());
  }

  /** Makes the node of a stripe's block silent; the block's copies may come back with it. */
  private void silence(StripeProto stripe, int position) throws Exception {
    String uuid = stripe.getMembers(position).getHome();
    NodeHeartbeats.set(
        fixture.cluster.dataNode(fixture.cluster.indexOf(uuid).orElseThrow()), false);
    NameNodeHost host = fixture.plugin().host();
    Await.until("the node to be suspect", () -> host.isSuspect(host.nodes().getDatanode(uuid)));
  }

  /** Of what a lost block is rebuilt from, parity is on a silent node only. */
  @Test
  void whatSilentNodesHaveIsNotTakenForLost() throws Exception {
    StripeProto stripe = encode("rs-2-1", one, lost);
    lose();
    silence(stripe, 2);
    assertEquals(Set.of(lost.getBlock().getId()), remove("/one").needing());
  }

  @Test
  void blocksOnSilentNodesThemselvesAreNeeded() throws Exception {
    StripeProto stripe = encode("rs-2-1", one, lost);
    lose();
    silence(stripe, 0);
    assertEquals(Set.of(lost.getBlock().getId()), remove("/one").needing());
  }

  /** HDFS alone knows what goes with a snapshot; stripes whose blocks can be read need nothing. */
  @Test
  void whatOnlySnapshotsHaveIsNeededByLostBlocksAlone() throws Exception {
    encode("rs-2-1", one, lost);
    encode("rs-2-1", two, write("/whole"));
    org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path("/");
    fixture.fs.allowSnapshot(root);
    fixture.fs.createSnapshot(root, "s");
    for (String path : List.of("/one", "/two")) {
      assertTrue(fixture.plugin().host().calls().delete(path, false));
    }
    lose();
    Verdict snapshot = check.permitted(Removal.snapshot("/", "s"));
    assertEquals(Set.of(lost.getBlock().getId()), snapshot.needing());
    assertEquals(Set.of(), snapshot.bare());
    assertEquals(1, snapshot.thinned().size());
    assertTrue(snapshot.many(), "the other stripe loses a block, too");
  }

  /** All blocks can be read: whoever would have one copy and nothing else is named. */
  @Test
  void tellsWhatWouldHaveOneCopyAndNothingElse() throws Exception {
    encode("rs-3-2", one, two, lost);
    Verdict first = remove("/one");
    assertEquals(Set.of(), first.bare());
    Verdict second = remove("/two");
    assertEquals(Set.of(lost.getBlock().getId()), second.bare(), "while the first is going");
    check.release(first);
    check.release(second);
    encode("rs-2-1", one, two);
    assertEquals(Set.of(two.getBlock().getId()), remove("/one").bare());
  }

  /** Its content is another one as soon as DataNodes hear of the cut. */
  @Test
  void nobodyCountsOnWhatIsBeingCut() throws Exception {
    encode("rs-3-2", one, two, lost);
    for (int node = 0; node < fixture.cluster.nodes(); node++) {
      NodeHeartbeats.set(fixture.cluster.dataNode(node), false);
    }
    assertFalse(fixture.plugin().host().calls().truncate("/one", 100, "cutter"));
    assertEquals(Set.of(lost.getBlock().getId()), remove("/two").bare());
    long cut = one.getBlock().getId();
    assertTrue(fixture.stripes(cut).get(0).getMembers(0).getGone(), "it is listed as there");
  }

  /** A snapshot of a directory keeps a file; another file that has a block comes there later. */
  private void keepInSnapshot(String file) throws Exception {
    fixture.fs.setReplication(new org.apache.hadoop.fs.Path(file), (short) 1);
    org.apache.hadoop.fs.Path top = new org.apache.hadoop.fs.Path("/top");
    fixture.fs.allowSnapshot(top);
    fixture.fs.createSnapshot(top, "s");
    assertTrue(fixture.plugin().host().calls().rename("/one", "/top/tree/one"));
  }

  /** Of a directory some blocks stay for its snapshots, and others go that came since. */
  @Test
  void whatASnapshotKeepsHidesNothingThatGoes() throws Exception {
    BlockStatusProto kept = write("/top/tree/kept");
    encode("rs-3-1", kept, one, lost);
    keepInSnapshot("/top/tree/kept");
    assertTrue(fixture.plugin().host().calls().delete("/top/tree/kept", false));
    lose();
    Verdict verdict = check.permitted(Removal.tree("/top/tree"));
    assertEquals(Set.of(lost.getBlock().getId()), verdict.needing());
  }

  /** The same for a block that was cut off a file, which only the snapshot has. */
  @Test
  void whatWasCutOffAndASnapshotKeepsHidesNothingThatGoes() throws Exception {
    List<BlockStatusProto> cut = fixture.write("/top/tree/cut", 2, 3).getBlocksList();
    encode("rs-3-1", cut.get(1), one, lost);
    keepInSnapshot("/top/tree/cut");
    NameNodeHost host = fixture.plugin().host();
    assertTrue(host.calls().truncate("/top/tree/cut", NameNodeFixture.BLOCK, "cutter"));
    lose();
    Verdict verdict = check.permitted(Removal.tree("/top/tree"));
    assertEquals(Set.of(lost.getBlock().getId()), verdict.needing());
  }
}
