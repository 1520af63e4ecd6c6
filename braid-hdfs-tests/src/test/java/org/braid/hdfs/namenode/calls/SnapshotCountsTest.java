package org.braid.hdfs.namenode.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.braid.hdfs.namenode.SharedNameNode;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.writes.CountedCut;
import org.braid.hdfs.namenode.writes.OpenWrites;
import org.braid.testing.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A snapshot of a converted file is deleted after the file was written to. */
final class SnapshotCountsTest {
  private static final Path DIRECTORY = new Path("/snapped");
  private static final Path FILE = new Path(DIRECTORY, "f");

  @RegisterExtension static final SharedNameNode fixture = SharedNameNode.wiped(4, 4, Map.of());

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void encodedBlocksKeepOneReplicaAndAreCountedAsBefore(boolean overWeb) throws Exception {
    encodeAndAppend();
    try (FileSystem web = fixture.overWeb()) {
      (overWeb ? web : fixture.fs).deleteSnapshot(DIRECTORY, "before");
    }
    assertEquals(
        fixture.fs.getContentSummary(DIRECTORY).getSpaceConsumed(),
        fixture.fs.getQuotaUsage(DIRECTORY).getSpaceConsumed());
    assertEquals(List.of(1, 1, 3), aims());
  }

  private static void encodeAndAppend() throws Exception {
    fixture.encode(FILE.toString());
    fixture.fs.setQuota(DIRECTORY, HdfsConstants.QUOTA_DONT_SET, 1L << 40);
    fixture.fs.allowSnapshot(DIRECTORY);
    fixture.fs.createSnapshot(DIRECTORY, "before");
    try (FSDataOutputStream out = fixture.fs.append(FILE)) {
      out.write(new byte[100]);
    }
  }

  /** How many replicas each block is to have. */
  private static List<Integer> aims() throws Exception {
    return ofBlocks(block -> (int) block.getReplication());
  }

  private static List<Integer> ofBlocks(Function<BlockInfo, Integer> figure) throws Exception {
    NameNodeHost host = fixture.plugin().host();
    return host.reading(
        "test",
        () -> Arrays.stream(host.inode(FILE.toString()).asFile().getBlocks()).map(figure).toList());
  }

  /** HDFS counts each block that a deleted snapshot had, also where the file has it no more. */
  @Test
  void whatOnlyTheSnapshotHadIsCountedAsBefore() throws Exception {
    encodeAndAppend();
    assertTrue(fixture.fs.truncate(FILE, 4096));
    fixture.fs.deleteSnapshot(DIRECTORY, "before");
    assertEquals(
        fixture.fs.getContentSummary(DIRECTORY).getSpaceConsumed(),
        fixture.fs.getQuotaUsage(DIRECTORY).getSpaceConsumed());
  }

  /** HDFS takes its raw names of directories, too. */
  @Test
  void aSnapshotOfARawPathIsCountedAsBefore() throws Exception {
    encodeAndAppend();
    fixture.fs.deleteSnapshot(new Path("/.reserved/raw" + DIRECTORY), "before");
    assertEquals(
        fixture.fs.getContentSummary(DIRECTORY).getSpaceConsumed(),
        fixture.fs.getQuotaUsage(DIRECTORY).getSpaceConsumed());
    assertEquals(List.of(1, 1, 3), aims());
  }

  /** Each of two deletions counts as if it was alone, also those of different directories. */
  @Test
  void deletionsBesideEachOtherLeaveBlocksAsTheyWere() throws Exception {
    encodeAndAppend();
    NameNodeHost host = fixture.plugin().host();
    long inode = inode(host);
    OpenWrites open = lowered(inode);
    try (CountedCut ignored = countsBeside(host, open)) {
      assertEquals(List.of(3, 3, 3), aims());
      assertEquals(Set.of(inode), open.lowered());
    }
    assertEquals(List.of(1, 1, 3), aims());
    // What has no state of the file is nobody's business, and whoever may ask changes nothing.
    fixture.fs.createSnapshot(DIRECTORY, "after");
    for (String other : List.of("after", "none")) {
      try (CountedCut ignored = of(host, open, other)) {
        assertEquals(List.of(1, 1, 3), aims());
      }
    }
  }

  /** The number is there already: HDFS makes the copies all the same, and nothing undoes it. */
  @Test
  void aReplicationThatIsSetMeanwhileStays() throws Exception {
    encodeAndAppend();
    NameNodeHost host = fixture.plugin().host();
    OpenWrites open = lowered(inode(host));
    try (CountedCut ignored = of(host, open, "before")) {
      assertEquals(List.of(3, 3, 3), aims());
      assertTrue(fixture.fs.setReplication(FILE, (short) 3));
    }
    assertEquals(List.of(3, 3, 3), aims());
    Await.until("copies of all", () -> copies().equals(List.of(3, 3, 3)));
  }

  private static long inode(NameNodeHost host) throws Exception {
    return host.reading("test", () -> host.inode(FILE.toString()).getId());
  }

  /** A NameNode's memory of a file of which blocks aim at other than the file wants. */
  private static OpenWrites lowered(long inode) {
    OpenWrites open = new OpenWrites();
    open.lowered(inode);
    return open;
  }

  private static List<Integer> copies() throws Exception {
    BlockManager blocks = fixture.plugin().host().blocks();
    return ofBlocks(block -> blocks.countNodes(block).liveReplicas());
  }

  private static CountedCut of(NameNodeHost host, OpenWrites open, String snapshot)
      throws Exception {
    return CountedCut.ofSnapshot(host, open, DIRECTORY.toString(), snapshot);
  }

  /** A deletion that begins while another one is under way, which ends first. */
  private static CountedCut countsBeside(NameNodeHost host, OpenWrites open) throws Exception {
    try (CountedCut ignored = of(host, open, "before")) {
      return of(host, open, "before");
    }
  }
}
