package org.braid.hdfs.namenode.stripes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.server.datanode.NodeHeartbeats;
import org.braid.hdfs.namenode.BraidNameNodePlugin;
import org.braid.hdfs.namenode.SharedNameNode;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.writes.OpenWrites;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.StripeCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Stripes are found by what became of their blocks, as of many that one call removed. */
final class StripeReaderTest {
  @RegisterExtension static final SharedNameNode fixture = SharedNameNode.wiped(5, 5, Map.of());

  private BlockStatusProto write(String path) throws Exception {
    return fixture.write(path, 1, 3).getBlocks(0);
  }

  private StripeProto encode(String code, BlockStatusProto... data) throws Exception {
    StripeProto stripe = fixture.publish(code, List.of(data), x -> x);
    assertEquals(List.of(), fixture.trim(stripe.getId()));
    return stripe;
  }

  /** Past Braid, which names what a call of a client takes. */
  private void delete(String path) throws Exception {
    assertTrue(fixture.plugin().host().calls().delete(path, true));
  }

  private int replication(BlockStatusProto block) {
    return ReplicaView.stored(fixture.plugin().host().blocks(), block.getBlock().getId())
        .orElseThrow()
        .getReplication();
  }

  private List<String> ofGone() throws Exception {
    BraidNameNodePlugin plugin = fixture.plugin();
    List<String> found = new ArrayList<>();
    StripeReader.find(
        plugin.host(),
        plugin.index(),
        "test",
        id -> ReplicaView.stored(plugin.host().blocks(), id).isEmpty(),
        page -> page.forEach(entry -> found.add(entry.stripe().id())));
    return found;
  }

  @Test
  void stripesAreFoundByTheirBlocksEachOnceAndNoOthers() throws Exception {
    encode("rs-2-1", write("/whole/1"), write("/whole/2"));
    StripeProto wide = encode("rs-3-2", write("/d/1"), write("/d/2"), write("/left"));
    BlockStatusProto twice = write("/d/3");
    StripeProto earlier = encode("rs-2-1", twice, write("/early"));
    StripeProto later = encode("rs-2-1", twice, write("/late"));
    assertEquals(List.of(), ofGone());
    delete("/d");
    List<String> found = ofGone();
    assertEquals(3, found.size());
    assertEquals(Set.of(wide.getId(), earlier.getId(), later.getId()), Set.copyOf(found));
  }

  @Test
  void whatGoneBlocksLeaveOfStripesIsProtected() throws Exception {
    BlockStatusProto left = write("/left");
    encode("rs-2-1", write("/gone"), left);
    fixture.fs.setReplication(new org.apache.hadoop.fs.Path("/left"), (short) 1);
    Raiser raiser = new Raiser(fixture.plugin().host(), fixture.plugin().index(), new OpenWrites());
    raiser.protectGone();
    assertEquals(1, replication(left));
    delete("/gone");
    raiser.protectGone();
    assertEquals(3, replication(left));
  }

  /** HDFS calls it as it was until its DataNodes have cut it, which takes a heartbeat at least. */
  @Test
  void whatABlockThatIsBeingCutLeavesIsProtectedAtOnce() throws Exception {
    BlockStatusProto left = write("/left");
    StripeProto stripe = encode("rs-2-1", write("/cut"), left);
    fixture.fs.setReplication(new org.apache.hadoop.fs.Path("/left"), (short) 1);
    BraidNameNodePlugin plugin = fixture.plugin();
    Raiser raiser = new Raiser(plugin.host(), plugin.index(), new OpenWrites());
    Trimmer trimmer = new Trimmer(plugin.host(), plugin.index(), new OpenWrites());
    List<Long> blocks = List.of(left.getBlock().getId());
    raiser.protect(stripe.getId());
    assertEquals(1, replication(left));
    for (int node = 0; node < fixture.cluster.nodes(); node++) {
      NodeHeartbeats.set(fixture.cluster.dataNode(node), false);
    }
    assertFalse(plugin.host().calls().truncate("/cut", 100, "cutter"));
    raiser.protect(stripe.getId());
    assertEquals(3, replication(left));
    assertEquals(Set.of(), trimmer.keepOneAgain(blocks, id -> () -> {}));
    assertEquals(3, replication(left), "the copies that the cut waited for");
  }

  /** As figures, listings, readers and the guard of replicas ask. */
  @Test
  void aBlockThatIsBeingCutIsThereOnlyForItsFile() throws Exception {
    StripeProto stripe = encode("rs-2-1", write("/cut"), write("/left"));
    Member member = StripeCodec.of(stripe).member(0);
    NameNodeHost host = fixture.plugin().host();
    boolean before = host.reading("test", () -> StripeReader.held(host, member).isPresent());
    assertTrue(before);
    for (int node = 0; node < fixture.cluster.nodes(); node++) {
      NodeHeartbeats.set(fixture.cluster.dataNode(node), false);
    }
    assertFalse(host.calls().truncate("/cut", 100, "cutter"));
    boolean held = host.reading("test", () -> StripeReader.held(host, member).isPresent());
    boolean owned = host.reading("test", () -> StripeReader.owned(host, member).isPresent());
    assertFalse(held);
    assertTrue(owned);
  }

  /** What is remembered of files would become more and more where nobody deletes snapshots. */
  @Test
  void filesThatAreGoneAreForgotten() throws Exception {
    write("/f");
    BraidNameNodePlugin plugin = fixture.plugin();
    long file = plugin.host().reading("test", () -> plugin.host().inode("/f").getId());
    OpenWrites open = new OpenWrites();
    open.lowered(file);
    Raiser raiser = new Raiser(plugin.host(), plugin.index(), open);
    raiser.protectThinned("");
    assertEquals(Set.of(file), open.lowered());
    delete("/f");
    raiser.protectThinned("");
    assertEquals(Set.of(), open.lowered());
  }
}
