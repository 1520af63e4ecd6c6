package org.braid.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.AbstractFileSystem;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Hdfs;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.UnresolvedLinkException;
import org.braid.hdfs.testing.StripeFixture.Converted;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * What programs rely on that use FileContext: the same as with HDFS's own file system behind it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class FileContextTest {
  private static final Path DIRECTORY = new Path("/directory");
  private static final Path FILE = new Path(DIRECTORY, "file");

  private final byte[] content =
      ClientFixture.content(Seeds.random(FileContextTest.class), 3 * ClientFixture.BLOCK - 7);
  private ClientFixture fixture;
  private FileContext context;

  @BeforeAll
  void start(@TempDir java.nio.file.Path directory) throws IOException {
    FileSystem.enableSymlinks();
    fixture = new ClientFixture(directory, Map.of());
    Converted file = fixture.stripes.write(FILE.toString(), content);
    fixture.stop(List.of(file.stripes().get(0).nodes().get(1)));
    context = context(fixture.configuration(Map.of()));
  }

  @AfterAll
  void stop() throws IOException {
    fixture.close();
  }

  private FileContext context(Configuration conf) throws IOException {
    return FileContext.getFileContext(URI.create(fixture.cluster.uri()), conf);
  }

  private byte[] read(Path path) throws IOException {
    try (FSDataInputStream in = context.open(path)) {
      return in.readAllBytes();
    }
  }

  @Test
  void linksAreLeftToTheContext() throws IOException {
    Path link = new Path("/left");
    context.createSymlink(FILE, link, false);
    AbstractFileSystem files =
        AbstractFileSystem.get(URI.create(fixture.cluster.uri()), fixture.configuration(Map.of()));
    assertThrows(UnresolvedLinkException.class, () -> files.open(link, 4096));
    assertThrows(UnresolvedLinkException.class, () -> files.getFileStatus(link));
    assertThrows(UnresolvedLinkException.class, () -> files.getFileBlockLocations(link, 0, 1));
    assertEquals(FILE, files.getLinkTarget(link));
    assertTrue(files.getFileLinkStatus(link).isSymlink());
  }

  @Test
  void lostBlocksAreReadThroughLinks() throws IOException {
    Path file = new Path("/link-to-file");
    Path directory = new Path("/link-to-directory");
    context.createSymlink(FILE, file, false);
    context.createSymlink(DIRECTORY, directory, false);
    assertArrayEquals(content, read(file));
    assertArrayEquals(content, read(new Path(directory, FILE.getName())));
  }

  @Test
  void linksLeadToOtherFileSystems(@TempDir java.nio.file.Path local) throws IOException {
    Files.write(local.resolve("old"), content);
    Path link = new Path("/elsewhere");
    context.createSymlink(new Path(local.toUri()), link, false);
    assertArrayEquals(content, read(new Path(link, "old")));
    try (FSDataOutputStream out =
        context.create(new Path(link, "new"), EnumSet.of(CreateFlag.CREATE))) {
      out.write(content);
    }
    assertArrayEquals(content, Files.readAllBytes(local.resolve("new")));
  }

  @Test
  void bytesAreCountedAsTheContexts() throws IOException {
    FileSystem.Statistics counted = FileContext.getStatistics(URI.create(fixture.cluster.uri()));
    long read = counted.getBytesRead();
    assertArrayEquals(content, read(FILE));
    assertEquals(content.length, counted.getBytesRead() - read);
    long written = counted.getBytesWritten();
    try (FSDataOutputStream out =
        context.create(new Path("/counted"), EnumSet.of(CreateFlag.CREATE))) {
      out.write(new byte[1000]);
    }
    assertEquals(1000, counted.getBytesWritten() - written);
  }

  @Test
  void relativePathsAreBelowTheHomeThatHdfsNames() throws IOException {
    Map<String, String> homes = Map.of("dfs.user.home.dir.prefix", "/home");
    Configuration stock = fixture.configuration(homes);
    stock.setClass("fs.AbstractFileSystem.hdfs.impl", Hdfs.class, AbstractFileSystem.class);
    FileContext braid = context(fixture.configuration(homes));
    assertEquals(context(stock).getHomeDirectory(), braid.getHomeDirectory());
    assertEquals(context(stock).getWorkingDirectory(), braid.getWorkingDirectory());
  }

  @Test
  void hasTheCapabilitiesOfTheFileSystem() throws IOException {
    assertTrue(context.hasPathCapability(FILE, CommonPathCapabilities.FS_APPEND));
  }
}
