package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNodeAdapter;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.ToolRunner;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.StripeStatus;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** HDFS's own tools, which know nothing of stripes, cannot destroy them. */
final class StockToolsTest {
  private static final Random RANDOM = Seeds.random(StockToolsTest.class);
  private static final EnumSet<XAttrSetFlag> REPLACE = EnumSet.of(XAttrSetFlag.REPLACE);

  /** HDFS knows a namespace of attributes in any case. */
  private static final String NAME = BraidPaths.STRIPE_XATTR.replace("trusted", "TRUSTED");

  @RegisterExtension static final SharedCluster fixture = new SharedCluster(6, 12);

  @AfterEach
  void clear() throws Exception {
    fixture.startAll();
    fixture.deleteAll();
  }

  private static String fsck(String... arguments) throws Exception {
    Configuration conf = fixture.hdfs.configuration();
    conf.set(DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY, http());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (PrintStream printed = new PrintStream(out, true, StandardCharsets.UTF_8)) {
      int status = ToolRunner.run(new DFSck(conf, printed), arguments);
      return status + "\n" + out.toString(StandardCharsets.UTF_8);
    }
  }

  private static String http() {
    var address = fixture.hdfs.nameNode().getHttpAddress();
    return address.getHostString() + ":" + address.getPort();
  }

  @Test
  void fsckDeletesNoFileThatCanBeRebuilt() throws Exception {
    fixture.write("/fsck/f", 6 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-3-2", "/fsck/f");
    int lost = fixture.homes(Movers.stripeOf(fixture, "/fsck/f")).get(0);
    fixture.hdfs.stopNode(lost);
    fixture.hdfs.awaitDead(lost);
    Await.until(
        "a block without a copy",
        () ->
            fixture.files("/fsck/f").get(0).blocks().stream()
                .anyMatch(block -> block.replicas().stream().noneMatch(r -> r.live())));
    for (String harm : new String[] {"-delete", "-move"}) {
      String said = fsck("/fsck", harm);
      assertNotEquals("0", said.lines().findFirst().orElseThrow(), said);
      assertTrue(said.contains("braid repair rebuilds what fsck takes for lost"), said);
    }
    assertTrue(fsck("/fsck").contains("MISSING"), "fsck itself goes on");
    fixture.write("/other/f", 10, 3, RANDOM);
    assertTrue(fsck("/other", "-delete").startsWith("0\n"), "other files are not concerned");
    assertEquals(List.of(), fixture.repair("/fsck", "chain").unrepairable());
    fixture.assertReads("/fsck/f");
    // Nothing is lost now, but a node may be while fsck runs.
    assertTrue(fsck("/fsck", "-delete").contains("Braid refuses to have files below /fsck"));
    fixture.assertReads("/fsck/f");
  }

  @Test
  void parityIsNeitherDeletedNorRenamed() throws Exception {
    fixture.write("/parity/f", 6 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-3-2", "/parity/f");
    String parity = fixture.stripes().get(0).parityPath();
    for (String path : new String[] {BraidPaths.ROOT, BraidPaths.STRIPES, parity, parity + "/"}) {
      refused(() -> fixture.fs.delete(new Path(path), true));
      refused(() -> fixture.fs.rename(new Path(path), new Path("/gone")));
    }
    refused(() -> fixture.fs.delete(new Path("/.reserved/raw" + parity), false));
    assertEquals(403, webHdfs("DELETE", BraidPaths.ROOT + "?op=DELETE&recursive=true"));
    assertEquals(403, webHdfs("PUT", parity + "?op=RENAME&destination=/gone"));
    assertEquals(403, webHdfs("POST", "/parity/f?op=TRUNCATE&newlength=100"));
    fixture.write("/parity/g", 10, 3, RANDOM);
    assertEquals(403, webHdfs("POST", "/parity/f?op=CONCAT&sources=/parity/g"));
    assertEquals(403, webHdfs("POST", "/parity/g?op=CONCAT&sources=/parity/f"));
    assertEquals(200, webHdfs("POST", "/parity/g?op=TRUNCATE&newlength=0"));
    fixture.fs.delete(new Path("/parity/g"), false);
    refused(() -> fixture.fs.truncate(new Path(parity), 1));
    refused(() -> fixture.fs.create(new Path(parity), true) == null);
    refused(
        () -> {
          fixture.fs.removeXAttr(new Path(parity), BraidPaths.STRIPE_XATTR);
          return true;
        });
    String said =
        String.valueOf(
            assertThrows(
                    AccessControlException.class,
                    () -> fixture.fs.setReplication(new Path(parity), (short) 3))
                .getMessage());
    assertTrue(said.contains("keeps its replication: it is parity"), said);
    assertEquals(403, webHdfs("PUT", parity + "?op=SETREPLICATION&replication=3"));
    assertEquals(1, fixture.fs.getFileStatus(new Path(parity)).getReplication());
    assertTrue(fixture.fs.setReplication(new Path(parity), (short) 1));
    byte[] description = fixture.fs.getXAttr(new Path(parity), BraidPaths.STRIPE_XATTR);
    for (String path : new String[] {parity, "/" + parity, "/.reserved/raw" + parity}) {
      refused(
          () -> {
            byte[] value = Arrays.copyOf(description, 10);
            fixture.fs.getClient().setXAttr(path, BraidPaths.STRIPE_XATTR, value, REPLACE);
            return true;
          });
      assertEquals(
          403,
          webHdfs("PUT", path + "?op=SETXATTR&flag=REPLACE&xattr.value=0x00&xattr.name=" + NAME));
    }
    assertArrayEquals(description, fixture.fs.getXAttr(new Path(parity), BraidPaths.STRIPE_XATTR));
    // Other attributes are nobody's business, nor is that one elsewhere.
    fixture.fs.setXAttr(new Path(parity), "trusted.note", new byte[1]);
    fixture.fs.create(new Path("/parity/h")).close();
    fixture.fs.setXAttr(new Path("/parity/h"), BraidPaths.STRIPE_XATTR, new byte[1]);
    fixture.fs.delete(new Path("/parity/h"), false);
    fixture.assertReads("/parity/f");
    fixture.assertTolerant("/parity");
    fixture.assertClean("/parity");
  }

  /** A write has raised the file's replication already, but not that of its encoded blocks. */
  @Test
  void replicationThatIsSetByWebHdfsHoldsForEncodedBlocks() throws Exception {
    String path = "/set/f";
    fixture.write(path, 3 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-3-2", path);
    try (FSDataOutputStream out = fixture.fs.append(new Path(path))) {
      out.write(1);
    }
    assertEquals(List.of(1, 1, 1, 3), replication(path));
    assertEquals(200, webHdfs("PUT", path + "?op=SETREPLICATION&replication=3"));
    // The NameNode answers first.
    Await.until("all blocks to aim at 3", () -> replication(path).equals(List.of(3, 3, 3, 3)));
    fixture.fs.delete(new Path(path), false);
  }

  /** A block that has yet to be moved gets no copies beside others of its stripe. */
  @Test
  void anAppendLeavesEncodedBlocksWithOneCopyWhereverThatIs() throws Exception {
    String path = "/misplaced/f";
    fixture.write(path, 3 * ClusterFixture.BLOCK, 3, RANDOM);
    fixture.convertAll("rs-3-2", path);
    StripeStatus stripe = Movers.stripeOf(fixture, path);
    List<Integer> homes = fixture.homes(stripe);
    Movers.move(fixture, stripe.stripe().member(0).block(), homes.get(0), homes.get(1));
    try (FSDataOutputStream out = fixture.fs.append(new Path(path))) {
      out.write(1);
    }
    assertEquals(List.of(1, 1, 1, 3), replication(path));
    assertEquals(List.of(), fixture.repair("/", "chain").unrepairable());
    fixture.assertClean(path);
    fixture.fs.delete(new Path(path), false);
  }

  /** HDFS closes a file that its writer left alone, and goes on with the call of another. */
  @Test
  void anAppendToWhatAWriterLeftOpenChangesNoEncodedBlock() throws Exception {
    String path = "/left/f";
    fixture.write(path, 2 * ClusterFixture.BLOCK + 100, 3, RANDOM);
    fixture.convertAll("rs-3-2", path);
    List<BlockIdentity> encoded = identities(path);
    FSNamesystem namesystem = fixture.hdfs.nameNode().getNamesystem();
    // Below 0, so that a writer is taken to be gone within the millisecond of its last call.
    NameNodeAdapter.setLeasePeriod(namesystem, -1, 3_600_000);
    DistributedFileSystem gone = fixture.hdfs.fileSystem();
    FSDataOutputStream left = gone.append(new Path(path));
    try {
      try (FSDataOutputStream out = fixture.fs.append(new Path(path))) {
        out.write(1);
      }
      assertEquals(encoded, identities(path).subList(0, 3));
      assertEquals(List.of(1, 1, 1, 3), replication(path));
    } finally {
      NameNodeAdapter.setLeasePeriod(namesystem, 60_000, 3_600_000);
      IOUtils.cleanupWithLogger(null, left, gone);
    }
    fixture.fs.delete(new Path(path), false);
  }

  /** HDFS takes the number of a file that only a snapshot has for what stands at its path now. */
  @Test
  void theNumberOfAnotherFileIsNoWayRound() throws Exception {
    Path directory = new Path("/numbers");
    String path = directory + "/f";
    fixture.write(path, 100, 3, RANDOM);
    String number = "/.reserved/.inodes/" + fixture.files(path).get(0).inode();
    fixture.fs.allowSnapshot(directory);
    fixture.fs.createSnapshot(directory, "before");
    fixture.fs.delete(new Path(path), false);
    fixture.write(path, 2 * ClusterFixture.BLOCK + 100, 3, RANDOM);
    fixture.convertAll("rs-3-2", path);
    List<BlockIdentity> encoded = identities(path);
    try (FSDataOutputStream out = fixture.fs.append(new Path(number))) {
      out.write(1);
    }
    assertEquals(encoded, identities(path).subList(0, 3));
    assertEquals(List.of(1, 1, 1, 3), replication(path));
    fixture.fs.deleteSnapshot(directory, "before");
    fixture.fs.disallowSnapshot(directory);
    fixture.fs.delete(directory, true);
  }

  private static List<BlockIdentity> identities(String path) throws Exception {
    return fixture.files(path).get(0).blocks().stream().map(BlockStatus::block).toList();
  }

  private static List<Integer> replication(String path) throws Exception {
    return fixture.files(path).get(0).blocks().stream().map(BlockStatus::expected).toList();
  }

  private interface Removal {
    boolean run() throws IOException;
  }

  private static void refused(Removal removal) {
    String said =
        String.valueOf(assertThrows(AccessControlException.class, removal::run).getMessage());
    assertTrue(said.contains("run braid restore on the files first"), said);
  }

  private static int webHdfs(String method, String rest) throws Exception {
    String user = System.getProperty("user.name");
    URI uri = URI.create("http://" + http() + "/webhdfs/v1" + rest + "&user.name=" + user);
    HttpRequest request =
        HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody()).build();
    return HttpClient.newHttpClient()
        .send(request, HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }
}
