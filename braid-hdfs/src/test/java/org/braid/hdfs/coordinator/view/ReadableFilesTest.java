package org.braid.hdfs.coordinator.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.security.AccessControlException;
import org.braid.hdfs.stripe.StripeStatus;
import org.junit.jupiter.api.Test;

/** What a user is shown who is no superuser, while others delete. */
final class ReadableFilesTest {
  private final Map<String, List<LocatedFileStatus>> listed = new HashMap<>();

  /** Files that were deleted, or may not be read any more, between the listing and the question. */
  private final Set<String> deleted = new HashSet<>();

  private final Set<String> closed = new HashSet<>();

  /** HDFS that lists directories as they are said to be. */
  private final class Listing extends DistributedFileSystem {
    @Override
    public RemoteIterator<LocatedFileStatus> listLocatedStatus(Path path) throws IOException {
      List<LocatedFileStatus> entries = listed.get(path.toUri().getPath());
      if (entries == null) {
        throw new FileNotFoundException("File " + path + " does not exist.");
      }
      Iterator<LocatedFileStatus> left = entries.iterator();
      return new RemoteIterator<>() {
        @Override
        public boolean hasNext() {
          return left.hasNext();
        }

        @Override
        public LocatedFileStatus next() {
          return left.next();
        }
      };
    }
  }

  private static HdfsFileStatus.Builder status(String path) {
    return new HdfsFileStatus.Builder()
        .owner("ann")
        .group("users")
        .replication(3)
        .blocksize(1 << 20)
        .path(
            path.substring(path.lastIndexOf('/') + 1)
                .getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  private static LocatedFileStatus at(String path, HdfsFileStatus.Builder status) {
    HdfsLocatedFileStatus located = (HdfsLocatedFileStatus) status.build();
    located.setPath(new Path(path));
    return located;
  }

  private static LocatedFileStatus file(String path) {
    LocatedBlock block =
        new LocatedBlock(new ExtendedBlock("pool", path.hashCode(), 10, 1), new DatanodeInfo[0]);
    return at(
        path,
        status(path)
            .length(10)
            .locations(new LocatedBlocks(10, false, List.of(block), block, true, null, null)));
  }

  private static LocatedFileStatus directory(String path) {
    return at(path, status(path).isdir(true).locations(new LocatedBlocks()));
  }

  private void list(String directory, LocatedFileStatus... entries) {
    listed.put(directory, Arrays.asList(entries));
  }

  private List<StripeStatus> stripesOf(String path, Iterable<Long> blocks) throws IOException {
    if (deleted.contains(path)) {
      throw new FileNotFoundException("File does not exist: " + path);
    }
    if (closed.contains(path)) {
      throw new AccessControlException("Permission denied: " + path);
    }
    return List.of();
  }

  private final ReadableFiles readable = new ReadableFiles(new Listing(), this::stripesOf);

  private List<String> shown(String path) throws IOException {
    List<String> shown = new ArrayList<>();
    readable.visit(path, (file, stripes) -> shown.add(file.path()));
    return shown;
  }

  @Test
  void filesAndDirectoriesThatAreDeletedMeanwhileArePassedOver() throws Exception {
    list("/u", file("/u/a"), directory("/u/gone"), directory("/u/d"), file("/u/b"), file("/u/c"));
    list("/u/d", file("/u/d/e"));
    deleted.add("/u/b");
    assertEquals(List.of("/u/a", "/u/c", "/u/d/e"), shown("/u"));
    assertEquals(0, readable.hidden(), "what is gone hides nothing");
  }

  @Test
  void filesThatMayNotBeReadAreCounted() throws Exception {
    list("/u", file("/u/a"), file("/u/b"));
    closed.add("/u/a");
    assertEquals(List.of("/u/b"), shown("/u"));
    assertEquals(1, readable.hidden());
  }

  @Test
  void aPathThatDoesNotExistIsSaid() {
    assertThrows(FileNotFoundException.class, () -> shown("/none"));
  }
}
