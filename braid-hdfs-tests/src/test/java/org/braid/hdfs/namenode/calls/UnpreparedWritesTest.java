package org.braid.hdfs.namenode.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.io.EnumSetWritable;
import org.braid.code.Codes;
import org.braid.hdfs.namenode.BraidNameNodePlugin;
import org.braid.hdfs.namenode.calls.ConvertedWrites.Prepared;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.writes.OpenWrites;
import org.braid.hdfs.testing.Plugins;
import org.braid.hdfs.testing.StripeFixture;
import org.braid.hdfs.testkit.embedded.EmbeddedCluster;
import org.braid.hdfs.testkit.embedded.EmbeddedSettings;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HDFS has written to a converted file of which nobody knew. */
final class UnpreparedWritesTest {
  private static final Random RANDOM = Seeds.random(UnpreparedWritesTest.class);
  private static final int BLOCK = 4096;
  private static final String CLIENT = "some-client";
  private static final Prepared ANOTHER = new Prepared(1, false, List.of(), false, false);

  @TempDir static java.nio.file.Path directory;
  private static EmbeddedCluster cluster;
  private static DistributedFileSystem fs;
  private static StripeFixture stripes;
  private static NameNodeHost host;
  private static UnpreparedWrites writes;
  private static final List<Set<String>> THINNED = new CopyOnWriteArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    cluster = EmbeddedCluster.start(new EmbeddedSettings(7, 7, BLOCK, directory, Map.of()));
    fs = cluster.fileSystem();
    stripes = new StripeFixture(cluster, fs, Codes.named("rs-3-2"), BLOCK);
    BraidNameNodePlugin plugin = Plugins.of(cluster.nameNode());
    host = plugin.host();
    writes = new ConvertedWrites(host, plugin.index(), new OpenWrites(), THINNED::add).others();
  }

  @AfterAll
  static void stop() throws Exception {
    fs.close();
    cluster.close();
  }

  private static StripeFixture.Converted converted(String path, int bytes) throws IOException {
    byte[] content = new byte[bytes];
    RANDOM.nextBytes(content);
    StripeFixture.Converted converted = stripes.write(path, content);
    assertEquals(1, fs.getFileStatus(new Path(path)).getReplication());
    THINNED.clear();
    return converted;
  }

  private static long inode(String path) throws IOException {
    return fs.getClient().getFileInfo(path).getFileId();
  }

  private static List<BlockInfo> blocks(String path) throws IOException {
    return host.reading("test", () -> Arrays.asList(host.inode(path).asFile().getBlocks()));
  }

  private static List<Block> identities(String path) throws IOException {
    return blocks(path).stream().map(Block::new).toList();
  }

  private static List<Integer> expected(String path) throws IOException {
    return blocks(path).stream().map(block -> (int) block.getReplication()).toList();
  }

  private static void append(String path) throws IOException {
    host.calls().append(path, CLIENT, new EnumSetWritable<>(EnumSet.of(CreateFlag.APPEND)));
    assertFalse(fs.isFileClosed(new Path(path)));
  }

  @Test
  void whatWasOpenedIsClosedAsItWas() throws Exception {
    converted("/closed", 2 * BLOCK + 100);
    List<Block> before = identities("/closed");
    append("/closed");
    Optional<IOException> against = writes.opened("/p", CLIENT, inode("/closed"), true);
    assertEquals(
        "/p is not what it was when this call came: nothing is written to it; call again",
        against.orElseThrow().getMessage());
    assertTrue(fs.isFileClosed(new Path("/closed")));
    assertEquals(before, identities("/closed"));
    assertEquals(List.of(1, 1, 1), expected("/closed"));
    assertEquals(List.of(), THINNED);
  }

  /** HDFS then gives the block another generation: it is in no stripe any more. */
  @Test
  void whatCannotBeClosedAsItWasIsReplicated() throws Exception {
    StripeFixture.Converted converted = converted("/replicated", 2 * BLOCK + 100);
    List<Block> before = identities("/replicated");
    append("/replicated");
    assertTrue(writes.opened("/p", "another", inode("/replicated"), true).isPresent());
    Await.until("the file to be closed", () -> fs.isFileClosed(new Path("/replicated")));
    List<Block> after = identities("/replicated");
    assertEquals(before.subList(0, 2), after.subList(0, 2));
    assertTrue(after.get(2).getGenerationStamp() > before.get(2).getGenerationStamp());
    assertEquals(100, after.get(2).getNumBytes());
    assertEquals(List.of(1, 1, 3), expected("/replicated"));
    Await.until("three replicas", () -> blocks("/replicated").get(2).numNodes() == 3);
    assertEquals(3, fs.getFileStatus(new Path("/replicated")).getReplication());
    assertEquals(List.of(Set.of(converted.stripes().get(0).proto().getId())), THINNED);
  }

  @Test
  void whatIsNotConvertedStaysOpenAsAskedFor() throws Exception {
    fs.create(new Path("/plain"), (short) 1).close();
    append("/plain");
    assertEquals(Optional.empty(), writes.opened("/p", CLIENT, inode("/plain"), true));
    assertFalse(fs.isFileClosed(new Path("/plain")));
    assertTrue(writes.opened("/p", CLIENT, inode("/plain"), false).isPresent());
    assertTrue(fs.isFileClosed(new Path("/plain")));
    assertEquals(1, fs.getFileStatus(new Path("/plain")).getReplication());
  }

  /**
   * A quota has no room for replicas of the whole file: the block that was cut has them for now.
   */
  @Test
  void whatCannotGetItsReplicationBackIsSaid() throws Exception {
    fs.mkdirs(new Path("/small"));
    converted("/small/f", 2 * BLOCK + 1000);
    fs.setQuota(new Path("/small"), HdfsConstants.QUOTA_DONT_SET, 3 * BLOCK);
    host.calls().truncate("/small/f", 2 * BLOCK + 100, CLIENT);
    assertThrows(DSQuotaExceededException.class, () -> writes.isTruncated(ANOTHER, "/small/f"));
    Await.until("the file to be closed", () -> fs.isFileClosed(new Path("/small/f")));
    // The others of its stripe may get copies at any moment, as it is not what was encoded any
    // more.
    assertEquals(3, expected("/small/f").get(2));
    assertEquals(1, fs.getFileStatus(new Path("/small/f")).getReplication());
    fs.setQuota(new Path("/small"), HdfsConstants.QUOTA_DONT_SET, HdfsConstants.QUOTA_RESET);
  }

  @Test
  void thePreparedFileIsLeftAlone() throws Exception {
    converted("/prepared", 3 * BLOCK);
    Prepared prepared = new Prepared(inode("/prepared"), false, List.of(), false, false);
    assertTrue(writes.isTruncated(prepared, "/prepared"));
    assertTrue(
        writes.areJoined(
            prepared,
            List.of(new Prepared(1L << 40, false, List.of(), false, false)),
            "/prepared"));
    assertFalse(writes.isTruncated(ANOTHER, "/none"));
    assertEquals(List.of(1, 1, 1), expected("/prepared"));
    assertFalse(writes.areJoined(prepared, List.of(prepared), "/prepared"), "a source is there");
    assertEquals(3, fs.getFileStatus(new Path("/prepared")).getReplication());
    assertEquals(List.of(1, 1, 1), expected("/prepared"));
  }
}
