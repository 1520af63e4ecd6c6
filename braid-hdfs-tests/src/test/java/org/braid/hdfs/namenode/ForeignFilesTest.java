package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.braid.hdfs.datanode.BraidDataNodePlugin;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.testing.Await;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Surplus replicas of what is in no stripe go as they do without Braid. */
final class ForeignFilesTest {
  private static final int MEBI = 1 << 20;

  @RegisterExtension
  static final SharedNameNode fixture =
      SharedNameNode.of(
          5,
          5,
          Map.of(
              "dfs.datanode.plugins",
              BraidDataNodePlugin.class.getName(),
              DFSConfigKeys.DFS_BLOCK_PLACEMENT_EC_CLASSNAME_KEY,
              BraidPlacementPolicy.class.getName()));

  @BeforeAll
  static void prepare() throws Exception {
    // Not everything is foreign.
    fixture.publish("rs-2-1", fixture.write("/encoded", 2, 3).getBlocksList(), x -> x);
  }

  private static StripeIndex index() {
    return fixture.plugin().index();
  }

  @Test
  void surplusOfAReplicatedFileIsChosenWithinTheCall() throws Exception {
    FileProto plain = fixture.write("/plain", 3, 3);
    index().ensure();
    fixture.fs.setReplication(new org.apache.hadoop.fs.Path("/plain"), (short) 1);
    for (int b = 0; b < 3; b++) {
      assertEquals(1, fixture.holders(plain.getBlocks(b).getBlock().getId()).size());
    }
  }

  @Test
  void aSurplusInternalBlockOfHdfsOwnErasureCodingGoes() throws Exception {
    String policy = "XOR-2-1-1024k";
    var striped = new org.apache.hadoop.fs.Path("/striped");
    fixture.fs.mkdirs(striped);
    fixture.fs.enableErasureCodingPolicy(policy);
    fixture.fs.setErasureCodingPolicy(striped, policy);
    var path = new org.apache.hadoop.fs.Path(striped, "f");
    try (FSDataOutputStream out = fixture.fs.create(path, true, 4096, (short) 1, MEBI)) {
      out.write(new byte[5000]);
    }
    LocatedBlock group = fixture.fs.getClient().getLocatedBlocks("/striped/f", 0).get(0);
    long id = group.getBlock().getBlockId();
    Await.until("both internal blocks", () -> fixture.holders(id).size() == 2);
    String holder = fixture.copies(id).iterator().next();
    int free = 0;
    while (fixture.holders(id).contains(fixture.cluster.uuid(free))) {
      free++;
    }
    fixture.addReplica(
        fixture.cluster.indexOf(holder).orElseThrow(),
        free,
        new BlockIdentity(id, group.getBlock().getGenerationStamp(), 5000));
    BlockInfo stored = fixture.block(id);
    Await.until("the surplus to go", () -> fixture.copies(id).size() == 1);
    Await.until("both internal blocks", () -> ReplicaView.of(fixture.blocks(), stored).size() == 2);
  }

  @Test
  void aChangedBlockOfAStripeIsHdfsOwn() throws Exception {
    var path = new org.apache.hadoop.fs.Path("/changed");
    FileProto file = fixture.write("/changed", 2, 3);
    fixture.publish("rs-2-1", file.getBlocksList(), x -> x);
    long last = file.getBlocks(1).getBlock().getId();
    long generation = fixture.block(last).getGenerationStamp();
    fixture.fs.truncate(path, NameNodeFixture.BLOCK + 100);
    Await.until(
        "the block to be cut on three nodes",
        () ->
            fixture.block(last).isComplete()
                && fixture.block(last).getGenerationStamp() > generation
                && fixture.holders(last).size() == 3);
    fixture.fs.setReplication(path, (short) 1);
    Await.until("one replica", () -> fixture.holders(last).size() == 1);
  }

  @Test
  void aStripeThatIsNeverPublishedIsForgotten() throws Exception {
    var path = new org.apache.hadoop.fs.Path("/failed");
    FileProto file = fixture.write("/failed", 2, 3);
    StripeProto staged = fixture.stage("rs-2-1", file.getBlocksList(), x -> x);
    long first = file.getBlocks(0).getBlock().getId();
    String home = staged.getMembers(0).getHome();
    assertEquals(Optional.of(home), index().awaitedAt(first));
    fixture.fs.setReplication(path, (short) 1);
    assertEquals(3, fixture.holders(first).size());
    fixture.fs.delete(
        new org.apache.hadoop.fs.Path(BraidPaths.stagingDirectory(staged.getId())), true);
    Await.until("one replica", () -> fixture.holders(first).size() == 1);
    assertEquals(Optional.empty(), index().awaitedAt(first));
  }

  /** As where what is left of a stripe is encoded anew, and its parity is swept then. */
  @Test
  void aHomeThatTwoStripesNameIsAwaitedAsLongAsOneIs() throws Exception {
    FileProto file = fixture.write("/twice", 2, 3);
    long first = file.getBlocks(0).getBlock().getId();
    StripeProto before = fixture.stage("rs-2-1", file.getBlocksList(), x -> x);
    String home = before.getMembers(0).getHome();
    StripeProto after = fixture.stage("rs-2-1", file.getBlocksList(), x -> x);
    assertEquals(home, after.getMembers(0).getHome());
    index().trimmed(before.getId());
    assertEquals(Optional.of(home), index().awaitedAt(first));
    index().trimmed(after.getId());
    assertEquals(Optional.empty(), index().awaitedAt(first));
  }

  @Test
  void aStripeIsKnownAsSoonAsItsParityIsRenamed() throws Exception {
    index().ensure();
    FileProto file = fixture.write("/published", 2, 3);
    StripeProto stripe = fixture.publish("rs-2-1", file.getBlocksList(), x -> x);
    assertEquals(
        List.of(stripe.getId()),
        index().known(file.getBlocks(0).getBlock().getId()).stream()
            .map(entry -> entry.stripe().id())
            .toList());
  }
}
