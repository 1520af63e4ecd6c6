package org.braid.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The client on a NameNode that does not know Braid, and the stock behaviour it must keep. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PlainHdfsTest {
  private final Random random = Seeds.random(PlainHdfsTest.class);
  private ClientFixture fixture;
  private BraidFileSystem fs;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    fixture = new ClientFixture(directory, Map.of("dfs.namenode.plugins", ""));
    fs = fixture.client();
  }

  @AfterAll
  void stop() throws IOException {
    fs.close();
    fixture.close();
  }

  private byte[] write(String path, int bytes) throws IOException {
    byte[] content = ClientFixture.content(random, bytes);
    try (FSDataOutputStream out = fs.create(new org.apache.hadoop.fs.Path(path), (short) 1)) {
      out.write(content);
    }
    return content;
  }

  @Test
  void readsAsTheStockClientDoes() throws IOException {
    byte[] content = write("/stock", 3 * ClientFixture.BLOCK + 77);
    var path = new org.apache.hadoop.fs.Path("/stock");
    try (FSDataInputStream in = fs.open(path)) {
      assertArrayEquals(content, in.readAllBytes());
      assertEquals(-1, in.read());
      in.seek(content.length - 1);
      assertEquals(content[content.length - 1] & 0xff, in.read());
      assertThrows(EOFException.class, () -> in.seek(content.length + 1));
      assertThrows(EOFException.class, () -> in.seek(-1));
      assertEquals(-1, in.read(content.length, new byte[1], 0, 1));
      assertThrows(EOFException.class, () -> in.readFully(content.length - 3, new byte[4]));
      in.seek(5);
      assertEquals(100, in.skip(100));
      assertEquals(105, in.getPos());
      assertEquals(content.length - 105, in.available());
      ByteBuffer direct = ByteBuffer.allocateDirect(3000);
      assertEquals(3000, in.read(ClientFixture.BLOCK - 1000, direct));
      byte[] read = new byte[3000];
      direct.flip().get(read);
      assertArrayEquals(
          java.util.Arrays.copyOfRange(
              content, ClientFixture.BLOCK - 1000, ClientFixture.BLOCK + 2000),
          read);
      assertEquals(105, in.getPos());
      assertTrue(in.hasCapability(StreamCapabilities.PREADBYTEBUFFER));
      HdfsDataInputStream hdfs = assertInstanceOf(HdfsDataInputStream.class, in);
      assertEquals(4, hdfs.getAllBlocks().size());
      assertEquals(content.length, hdfs.getVisibleLength());
      in.unbuffer();
      assertEquals(content[105] & 0xff, in.read());
      in.close();
      assertEquals("Stream closed", assertThrows(IOException.class, in::read).getMessage());
    }
  }

  @Test
  void keepsTheStockErrorForLostBlocksAndStaysUsable() throws Exception {
    byte[] lost = write("/lost", 1000);
    byte[] kept = write("/kept", 1000);
    var path = new org.apache.hadoop.fs.Path("/lost");
    String uuid =
        fs.getClient().getLocatedBlocks("/lost", 0).get(0).getLocations()[0].getDatanodeUuid();
    String other =
        fs.getClient().getLocatedBlocks("/kept", 0).get(0).getLocations()[0].getDatanodeUuid();
    int node = fixture.cluster.indexOf(uuid).orElseThrow();
    fixture.stop(List.of(node));
    try (FSDataInputStream in = fs.open(path)) {
      for (int tries = 0; tries < 2; tries++) {
        BlockMissingException e =
            assertThrows(BlockMissingException.class, () -> in.readFully(0, new byte[10]));
        assertTrue(e.toString().contains("Could not obtain block: "), e.toString());
      }
      if (!other.equals(uuid)) {
        try (FSDataInputStream healthy = fs.open(new org.apache.hadoop.fs.Path("/kept"))) {
          assertArrayEquals(kept, healthy.readAllBytes());
        }
      }
      fixture.heal();
      // The same stream goes on once the node is back, at another port.
      assertArrayEquals(lost, in.readAllBytes());
    } finally {
      fixture.heal();
    }
  }

  @Test
  void fileContextDoesWhatHdfsDoes() throws IOException {
    FileContext files =
        FileContext.getFileContext(
            URI.create(fixture.cluster.uri()), fixture.configuration(Map.of()));
    var path = new org.apache.hadoop.fs.Path("/context/file");
    byte[] content = ClientFixture.content(random, 2000);
    try (FSDataOutputStream out =
        files.create(path, EnumSet.of(CreateFlag.CREATE), Options.CreateOpts.createParent())) {
      out.write(content);
    }
    try (FSDataInputStream in = files.open(path)) {
      assertArrayEquals(content, in.readAllBytes());
    }
    files.setXAttr(path, "user.colour", new byte[] {7});
    assertArrayEquals(new byte[] {7}, files.getXAttr(path, "user.colour"));
    assertEquals(List.of("user.colour"), files.listXAttrs(path));
    var other = new org.apache.hadoop.fs.Path("/context/other");
    files.create(other, EnumSet.of(CreateFlag.CREATE)).close();
    files.rename(path, other, Options.Rename.OVERWRITE);
    assertEquals(2000, files.getFileStatus(other).getLen());
    Await.untilEqual(
        "replicas of " + other,
        3,
        () -> files.getFileBlockLocations(other, 0, 2000)[0].getHosts().length);
    assertTrue(files.listLocatedStatus(new org.apache.hadoop.fs.Path("/context")).hasNext());
    assertEquals("HOT", files.getStoragePolicy(other).getName());
    assertTrue(files.delete(other, false));
  }
}
