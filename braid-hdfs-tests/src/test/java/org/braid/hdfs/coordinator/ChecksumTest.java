package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.DataChecksum;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Progress;
import org.braid.hdfs.coordinator.session.NameNodeCalls;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.Stripe;
import org.braid.hdfs.stripe.StripeCodec;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.hdfs.testing.Descriptions;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** HDFS's checksum of a file stays what it was, whichever checksums its writer chose. */
final class ChecksumTest {
  private static final Random RANDOM = Seeds.random(ChecksumTest.class);

  /** How often a coordinator looks by itself, in milliseconds: no sooner than a test ends. */
  private static final long SELDOM = 3_600_000;

  @RegisterExtension static final SharedCluster fixture = new SharedCluster(5, 10);

  @AfterEach
  void reset() throws Exception {
    fixture.startAll();
    fixture.deleteAll();
  }

  /** Writes a file of CRC32 over 1024 bytes. */
  private static FileChecksum write(String path, int blocks, int replication) throws IOException {
    return write(path, blocks, replication, new ChecksumOpt(DataChecksum.Type.CRC32, 1024));
  }

  private static FileChecksum write(String path, int blocks, int replication, ChecksumOpt checksums)
      throws IOException {
    return write(path, blocks, replication, checksums, new InetSocketAddress[0]);
  }

  private static FileChecksum write(
      String path, int blocks, int replication, ChecksumOpt checksums, InetSocketAddress[] nodes)
      throws IOException {
    byte[] content = new byte[blocks * ClusterFixture.BLOCK - 100];
    RANDOM.nextBytes(content);
    try (FSDataOutputStream out =
        fixture
            .fs
            .createFile(new Path(path))
            .recursive()
            .replication((short) replication)
            .blockSize(ClusterFixture.BLOCK)
            .checksumOpt(checksums)
            .favoredNodes(nodes)
            .build()) {
      out.write(content);
    }
    fixture.awaitReplicas(path, replication);
    return checksum(path);
  }

  private static FileChecksum checksum(String path) throws IOException {
    return fixture.fs.getFileChecksum(new Path(path));
  }

  /** Has all data blocks of the stripes rebuilt elsewhere, one after the other. */
  private static void loseEach(String path, int blocks) throws Exception {
    for (int i = 0; i < blocks; i++) {
      long id = fixture.files(path).get(0).blocks().get(i).block().id();
      StripeStatus status = status(id);
      int position = status.stripe().positionOf(id).orElseThrow();
      String home = status.stripe().member(position).home();
      fixture.hdfs.stopNode(fixture.hdfs.indexOf(home).orElseThrow());
      assertEquals(List.of(), fixture.repair(path, "chain").unrepairable());
      fixture.startAll();
    }
  }

  private static StripeStatus status(long block) throws IOException {
    try (NameNodeCalls calls = fixture.calls()) {
      return calls.stripesOf(List.of(block)).get(0);
    }
  }

  @Test
  void rebuiltBlocksHaveTheChecksumsOfTheirFile() throws Exception {
    FileChecksum before = write("/sum/f", 3, 3);
    fixture.convertAll("rs-3-2", "/sum");
    fixture.assertConvertedOnDisks("/sum");
    assertEquals(before, checksum("/sum/f"));
    loseEach("/sum/f", 2);
    assertEquals(before, checksum("/sum/f"));
    try (Cluster braid = fixture.braid()) {
      assertEquals(1, braid.restore("/sum", Progress.SILENT).files().size());
    }
    assertEquals(before, checksum("/sum/f"));
  }

  /** Blocks on one node: where a rack may have one of a stripe's, two must move. */
  @Test
  void movedBlocksHaveTheChecksumsOfTheirFile() throws Exception {
    InetSocketAddress node =
        new InetSocketAddress(
            InetAddress.getLoopbackAddress(), fixture.hdfs.dataNode(0).getXferPort());
    FileChecksum before =
        write(
            "/sum/moved",
            9,
            1,
            new ChecksumOpt(DataChecksum.Type.CRC32, 1024),
            new InetSocketAddress[] {node});
    assertTrue(fixture.convertAll("rs-3-2", "/sum").relocatedBlocks() > 0);
    assertEquals(before, checksum("/sum/moved"));
  }

  /** What is not recorded is looked up at another block of the file. */
  @Test
  void aStripeThatRecordsNoChecksumsIsRebuiltLikeTheRestOfTheFile() throws Exception {
    FileChecksum before = write("/sum/old", 3, 3);
    fixture.convertAll("rs-3-2", "/sum");
    fixture.assertConvertedOnDisks("/sum");
    forgetChecksums();
    loseEach("/sum/old", 1);
    assertEquals(before, checksum("/sum/old"));
  }

  /** The first stripe is as an early release wrote it. */
  private static void forgetChecksums() throws Exception {
    StripeStatus status = fixture.stripes().get(0);
    Descriptions.set(
        fixture.hdfs.nameNode(),
        new Path(status.parityPath()),
        withoutChecksums(status.stripe()).toByteArray());
    fixture.restartNameNode();
    assertEquals(null, fixture.stripes().get(0).stripe().member(0).checksum());
  }

  /** HDFS's default is taken for what nobody knows any more, by whoever rebuilds the block. */
  @Test
  void aChecksumThatNobodyKnowsIsThatOfTheRebuiltBlock() throws Exception {
    FileChecksum before = write("/sum/only", 1, 3, new ChecksumOpt(DataChecksum.Type.CRC32C, 512));
    write("/sum/other", 1, 3);
    fixture.convertAll("rs-3-2", "/sum");
    fixture.assertConvertedOnDisks("/sum");
    assertEquals(1, fixture.stripes().size(), "the files share no stripe");
    forgetChecksums();
    PlainClients clients = new PlainClients(fixture, RANDOM);
    clients.awaitOneCopyEach("/sum/only");
    int holder = clients.holder(clients.blocks("/sum/only").get(0));
    try (WatchingCoordinator watch = new WatchingCoordinator(fixture, SELDOM).awaitWatching()) {
      clients.lose(List.of(holder));
      assertEquals(before, ofBraid("/sum/only", Long.MAX_VALUE, "MD5MD5CRC"));
      assertTrue(watch.end().demanded() > 0, "the answer did not wait");
    }
  }

  private static StripeProto withoutChecksums(Stripe stripe) {
    StripeProto.Builder proto = StripeCodec.toProto(stripe).toBuilder().clearChecksum();
    proto.getMembersBuilderList().forEach(member -> member.clearChecksum());
    return proto.build();
  }

  private static FileChecksum ofBraid(String path, long length, String mode) throws IOException {
    Configuration conf = fixture.hdfs.configuration();
    conf.set("fs.hdfs.impl", "org.braid.hdfs.client.BraidFileSystem");
    conf.set("dfs.checksum.combine.mode", mode);
    try (FileSystem braid = FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf)) {
      return ((DistributedFileSystem) braid).getFileChecksum(new Path(path), length);
    }
  }

  private static List<FileChecksum> ofBraid(String path, List<Long> lengths) throws IOException {
    List<FileChecksum> sums = new ArrayList<>();
    for (String mode : List.of("MD5MD5CRC", "COMPOSITE_CRC")) {
      for (long length : lengths) {
        sums.add(ofBraid(path, length, mode));
      }
    }
    return sums;
  }

  @ParameterizedTest
  @CsvSource({"CRC32, 1024", "CRC32C, 512"})
  void braidsClientGivesTheChecksumsOfAFileWithoutSomeBlocks(DataChecksum.Type type, int chunk)
      throws Exception {
    write("/sum/lost", 6, 3, new ChecksumOpt(type, chunk));
    long all = 6L * ClusterFixture.BLOCK - 100;
    List<Long> lengths =
        List.of(all, Long.MAX_VALUE, all - 300, 2L * ClusterFixture.BLOCK + 700, 100L, 0L);
    List<FileChecksum> before = ofBraid("/sum/lost", lengths);
    fixture.convertAll("rs-3-2", "/sum");
    fixture.assertConvertedOnDisks("/sum");
    StripeStatus first = fixture.stripes().get(0);
    StripeStatus second = fixture.stripes().get(1);
    fixture.hdfs.stopNode(fixture.homes(first).get(0));
    int other = fixture.homes(second).get(2);
    if (other != fixture.homes(first).get(0)) {
      fixture.hdfs.stopNode(other);
    }
    assertEquals(before, ofBraid("/sum/lost", lengths));
  }

  /** Another tenant's file shares the stripe: only the block itself may be seen. */
  @Test
  void whoMayNotDecodeTheStripeGetsTheChecksumOnceTheBlockIsRebuilt() throws Exception {
    FileChecksum before = write("/sum/ours", 1, 3, new ChecksumOpt(DataChecksum.Type.CRC32C, 512));
    write("/sum/theirs", 1, 3);
    fixture.convertAll("rs-3-2", "/sum");
    fixture.assertConvertedOnDisks("/sum");
    assertEquals(1, fixture.stripes().size(), "the files share no stripe");
    fixture.fs.setPermission(new Path("/sum/theirs"), new FsPermission((short) 0600));
    PlainClients clients = new PlainClients(fixture, RANDOM);
    clients.awaitOneCopyEach("/sum/ours");
    int holder = clients.holder(clients.blocks("/sum/ours").get(0));
    PrivilegedExceptionAction<FileChecksum> sum =
        () -> ofBraid("/sum/ours", Long.MAX_VALUE, "MD5MD5CRC");
    try (WatchingCoordinator watch = new WatchingCoordinator(fixture, SELDOM).awaitWatching()) {
      clients.lose(List.of(holder));
      assertEquals(before, UserGroupInformation.createRemoteUser("reader").doAs(sum));
      assertTrue(watch.end().demanded() > 0, "the answer did not wait");
    }
  }

  /** A block in a snapshot that grew since is longer than what the snapshot has of it. */
  @Test
  void aLostBlockThatGrewSinceASnapshotIsReadAndSummedUpToItsEndThere() throws Exception {
    Path directory = new Path("/sum");
    String then = "/sum/.snapshot/then/grown";
    fixture.write("/sum/grown", 3 * ClusterFixture.BLOCK - 5000, 1, RANDOM);
    fixture.fs.allowSnapshot(directory);
    fixture.fs.createSnapshot(directory, "then");
    try {
      byte[] content = fixture.content("/sum/grown");
      FileChecksum before = ofBraid("/sum/grown", Long.MAX_VALUE, "MD5MD5CRC");
      try (FSDataOutputStream out = fixture.fs.append(new Path("/sum/grown"))) {
        out.write(new byte[700]);
      }
      fixture.convertAll("rs-3-2", "/sum");
      fixture.assertConvertedOnDisks("/sum");
      BlockStatus last = fixture.files("/sum/grown").get(0).blocks().get(2);
      assertEquals(ClusterFixture.BLOCK - 5000 + 700, last.block().length());
      fixture.hdfs.stopNode(fixture.hdfs.indexOf(last.replicas().get(0).node()).orElseThrow());
      assertArrayEquals(content, fixture.readDegraded(then));
      assertEquals(before, ofBraid(then, Long.MAX_VALUE, "MD5MD5CRC"));
    } finally {
      fixture.startAll();
      fixture.fs.deleteSnapshot(directory, "then");
      fixture.fs.disallowSnapshot(directory);
    }
  }

  @Test
  void aLostBlockOfNoStripeHasNoChecksum() throws Exception {
    write("/sum/plain", 1, 1);
    String holder = fixture.files("/sum/plain").get(0).blocks().get(0).replicas().get(0).node();
    fixture.hdfs.stopNode(fixture.hdfs.indexOf(holder).orElseThrow());
    IOException refused =
        assertThrows(IOException.class, () -> ofBraid("/sum/plain", Long.MAX_VALUE, "MD5MD5CRC"));
    assertTrue(refused.getMessage().contains("which is in no stripe"), refused.getMessage());
  }
}
