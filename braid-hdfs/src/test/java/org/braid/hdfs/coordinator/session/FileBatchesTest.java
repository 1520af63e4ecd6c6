package org.braid.hdfs.coordinator.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.braid.hdfs.coordinator.session.FileBatches.Batch;
import org.braid.hdfs.coordinator.session.NameNodeCalls.FilePage;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.BlockIdentity;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.FakeFile;
import org.braid.hdfs.stripe.StoredFile;
import org.junit.jupiter.api.Test;

final class FileBatchesTest {
  private static final int PAGE = 3;

  private final List<StoredFile> namespace = new ArrayList<>();

  private static StoredFile file(String path, Optional<String> across) {
    return file(path, path.hashCode(), across);
  }

  private static StoredFile file(String path, long inode, Optional<String> across) {
    BlockStatus block =
        new BlockStatus(new BlockIdentity(inode, 1, 1), List.of(), 3, true, List.of());
    return FakeFile.at(path, inode).replication(3).blocks(block).across(across).build();
  }

  /** Adds files of one block. */
  private void add(String directory, int files) {
    for (int i = 0; i < files; i++) {
      namespace.add(file(directory + "/f" + i, Optional.empty()));
    }
  }

  private void addAcross(String directory, int files) {
    for (int i = 0; i < files; i++) {
      namespace.add(file(directory + "/f" + i, Optional.of("rs-6-3")));
    }
  }

  /** As the NameNode lists files. */
  private FilePage page(String path, Optional<String> after) throws IOException {
    List<StoredFile> below =
        namespace.stream()
            .filter(
                file ->
                    BraidPaths.isBelow(file.path(), path)
                        || path.equals(BraidPaths.inode(file.inode())))
            .sorted((a, b) -> FileBatches.isBehind(a.path(), b.path()) ? 1 : -1)
            .toList();
    if (below.isEmpty()) {
      throw new FileNotFoundException(path);
    }
    List<StoredFile> behind =
        below.stream()
            .filter(file -> after.isEmpty() || FileBatches.isBehind(file.path(), after.get()))
            .toList();
    List<StoredFile> page = behind.subList(0, Math.min(PAGE, behind.size()));
    return new FilePage(
        page,
        page.size() < behind.size()
            ? Optional.of(page.get(page.size() - 1).path())
            : Optional.empty());
  }

  private FileBatches batches(int size, int most, String... paths) {
    return new FileBatches(this::page, List.of(paths), size, most);
  }

  private static List<String> paths(List<StoredFile> files) {
    return files.stream().map(StoredFile::path).toList();
  }

  private static List<String> of(String directory, int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> directory + "/f" + i).toList();
  }

  /** All batches; each listed again is what it was. */
  private static List<List<String>> all(FileBatches batches) throws IOException {
    List<List<String>> all = new ArrayList<>();
    Optional<Batch> batch = batches.next();
    while (batch.isPresent()) {
      all.add(paths(batch.get().files()));
      assertEquals(paths(batch.get().files()), paths(batch.get().now()));
      batch = batches.next();
    }
    return all;
  }

  @Test
  void whatFitsIsOneBatch() throws Exception {
    add("/a", 5);
    add("/b", 2);
    List<String> both = new ArrayList<>(of("/a", 0, 5));
    both.addAll(of("/b", 0, 2));
    assertEquals(List.of(both), all(batches(14, 14, "/")));
    assertEquals(List.of(both), all(batches(14, 14, "/a", "/b")));
  }

  @Test
  void directoriesAreNotCut() throws Exception {
    add("/d/a", 4);
    add("/d/b", 4);
    add("/d/c", 4);
    assertEquals(
        List.of(of("/d/a", 0, 4), of("/d/b", 0, 4), of("/d/c", 0, 4)), all(batches(10, 10, "/d")));
    assertEquals(
        List.of(of("/d/a", 0, 4), of("/d/b", 0, 4), of("/d/c", 0, 4)),
        all(batches(10, 10, "/d/a", "/d/b", "/d/c")));
  }

  @Test
  void aDirectoryThatIsLargerThanABatchIsCut() throws Exception {
    add("/d", 10);
    assertEquals(List.of(of("/d", 0, 6), of("/d", 6, 10)), all(batches(10, 10, "/d")));
  }

  @Test
  void filesOfStripesAcrossFilesAreTogether() throws Exception {
    addAcross("/d/x", 6);
    addAcross("/d/y", 6);
    add("/e", 3);
    List<List<String>> all = all(batches(8, 1000, "/"));
    assertEquals(2, all.size());
    assertEquals(12, all.get(0).size());
    assertEquals(of("/e", 0, 3), all.get(1));
    // Memory is bounded whatever was foreseen.
    assertTrue(all(batches(8, 12, "/")).size() > 2);
  }

  @Test
  void eachFileIsInOneBatch() throws Exception {
    add("/d", 7);
    add("/d/e", 7);
    add("/d-", 3); // behind /d/..., though - is before /
    for (int size = 1; size < 40; size++) {
      List<String> seen = new ArrayList<>();
      all(batches(size, size, "/d/e", "/", "/d")).forEach(seen::addAll);
      assertEquals(17, seen.size(), "batches of " + size);
      assertEquals(17, seen.stream().distinct().count());
    }
  }

  @Test
  void whatUsersChangeMeanwhileShowsInTheListingOfTheirBatchAlone() throws Exception {
    add("/d", 10);
    FileBatches batches = batches(10, 10, "/d");
    Batch one = batches.next().orElseThrow();
    namespace.removeIf(file -> file.path().equals("/d/f1") || file.path().equals("/d/f8"));
    namespace.add(file("/d/f00", Optional.empty()));
    namespace.add(file("/d/f9z", Optional.empty()));
    List<String> now = new ArrayList<>(List.of("/d/f0", "/d/f00"));
    now.addAll(of("/d", 2, 6));
    assertEquals(now, paths(one.now()));
    Batch two = batches.next().orElseThrow();
    assertFalse(paths(two.now()).contains("/d/f8"));
    assertTrue(paths(two.now()).contains("/d/f9z"));
    namespace.clear();
    assertEquals(List.of(), one.now());
    assertTrue(batches.next().isEmpty());
  }

  @Test
  void aPathThatDoesNotExistIsRefusedUntilWorkHasBegun() throws Exception {
    add("/a", 10);
    assertThrows(FileNotFoundException.class, () -> batches(1000, 1000, "/a", "/none").next());
    FileBatches batches = batches(10, 10, "/a", "/none");
    assertEquals(6, batches.next().orElseThrow().files().size());
    assertEquals(4, batches.next().orElseThrow().files().size());
    assertTrue(batches.next().isEmpty());
  }

  /** Else the second listing of a batch would end at its first such name. */
  @Test
  void namesInAllScriptsStandAsHdfsListsThem() throws Exception {
    List<String> names = List.of("\u65e5", "\u00e9", "a", "a-", "a\u00e9", "ab", "z");
    for (String one : names) {
      for (String other : names) {
        int hdfs =
            DFSUtilClient.compareBytes(
                one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
        String below = "/d/" + one + "/f";
        assertEquals(hdfs > 0, FileBatches.isBehind("/d/" + one, "/d/" + other), one + other);
        assertEquals(hdfs > 0, FileBatches.isBehind(below, "/d/" + other + "/f"), one + other);
      }
    }
    for (String name : List.of("\u65e5", "\u00e9", "a", "b", "c", "d")) {
      namespace.add(file("/d/" + name, Optional.empty()));
    }
    FileBatches.Pages two =
        (path, after) -> {
          int from = after.isEmpty() ? 0 : paths(namespace).indexOf(after.get()) + 1;
          int to = Math.min(namespace.size(), from + 2);
          return new FilePage(
              List.copyOf(namespace.subList(from, to)),
              to < namespace.size() ? Optional.of(namespace.get(to - 1).path()) : Optional.empty());
        };
    Batch first = new FileBatches(two, List.of("/d"), 8, 8).next().orElseThrow();
    assertEquals(4, first.files().size());
    assertEquals(first.files(), first.now());
  }

  @Test
  void filesThatAreThereTwiceAreTakenOnce() throws Exception {
    namespace.add(file("/a", Optional.empty()));
    assertEquals(List.of(List.of("/a")), all(batches(10, 10, "/a", "/a")));
  }

  @Test
  void whatStandsBelowAnotherPathIsTakenOnce() throws Exception {
    add("/a", 2);
    add("/a/b", 2);
    add("/ab", 2);
    for (String[] paths :
        new String[][] {
          {"/"}, {"/", "/a"}, {"/a/b/f0", "/ab", "/a"}, {"/ab/", "/a/", "/a/b"}, {"/a", "/", "/ab/"}
        }) {
      List<String> seen = all(batches(100, 100, paths)).get(0);
      assertEquals(6, seen.size(), List.of(paths) + ": " + seen);
      // Each batch tells how often it lists: once a path that is below no other.
      int calls = batches(100, 100, paths).next().orElseThrow().calls();
      assertEquals(List.of(paths).contains("/") ? 1 : 2, calls, List.of(paths).toString());
    }
  }

  @Test
  void aFileThatWasRenamedIsStillOfItsBatch() throws Exception {
    add("/a", 3);
    Batch batch = batches(100, 100, "/a").next().orElseThrow();
    StoredFile renamed = namespace.remove(1);
    namespace.add(file("/b/f", renamed.inode(), Optional.empty()));
    namespace.remove(0);
    assertEquals(List.of("/a/f2"), paths(batch.now()));
    assertEquals(List.of("/a/f2", "/b/f"), paths(batch.present()));
  }

  /** The paths of a policy's batch or of thinned stripes may be many. */
  @Test
  void eachPathIsLookedAtAFewTimesHoweverManyThereAre() {
    int count = 100_000;
    int[] looks = {0};
    List<String> paths =
        new AbstractList<>() {
          @Override
          public String get(int index) {
            looks[0]++;
            if (looks[0] > 10 * count) {
              throw new AssertionError("more than %d looks at paths".formatted(looks[0]));
            }
            return "/.reserved/.inodes/" + index;
          }

          @Override
          public int size() {
            return count;
          }
        };
    assertTrue(new FileBatches(this::page, paths, 10, 10).hasMore());
    assertTrue(looks[0] >= count);
  }
}
