package org.braid.shard.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.braid.shard.format.SetId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The order in which a publication makes its renames durable. */
final class ShardPublicationTest {
  @TempDir Path root;

  private static long hiddenLinks(Path directory) {
    try (var files = Files.list(directory)) {
      return files.filter(f -> AtomicFile.isTemporary(f) && Files.isSymbolicLink(f)).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private final List<Path> shards = new ArrayList<>();
  private final List<Path> files = new ArrayList<>();
  private final List<ShardWriter> writers = new ArrayList<>();

  /** Two shards of D that are links to files on disks of their own, and writers of new ones. */
  @BeforeEach
  void prepare() throws IOException {
    Path directory = Files.createDirectory(root.resolve("D"));
    for (int b = 0; b < 2; b++) {
      Path disk = Files.createDirectory(root.resolve("disk" + b)).toRealPath();
      files.add(Files.writeString(disk.resolve("f"), "old"));
      shards.add(directory.resolve("f.0" + b + ".shard"));
      Files.createSymbolicLink(shards.get(b), files.get(b));
      writers.add(ShardWriter.create(files.get(b), SetId.random(), b, 0));
    }
  }

  @AfterEach
  void close() throws IOException {
    for (ShardWriter writer : writers) {
      writer.close();
    }
  }

  private void publish(Consumer<Path> sync) throws IOException {
    ShardPublication.publish(writers, shards, List.of(), OverwritePolicy.REPLACE, sync);
  }

  /** After a crash only the hidden links tell where the old shards are. */
  @Test
  void hiddenLinksAreDurableBeforeAFileIsMoved() throws IOException {
    List<String> syncs = new ArrayList<>();
    publish(
        synced ->
            syncs.add(
                "%s: %d links, %d files in place"
                    .formatted(
                        synced.getFileName(),
                        hiddenLinks(root.resolve("D")),
                        files.stream().filter(Files::exists).count())));
    assertEquals("D: 2 links, 2 files in place", syncs.get(0));
    assertEquals(
        List.of("disk0: 2 links, 0 files in place", "disk1: 2 links, 0 files in place"),
        syncs.subList(1, 3));
    assertEquals(0, hiddenLinks(root.resolve("D")));
    assertTrue(Files.isSymbolicLink(shards.get(0)));
    assertEquals("", Files.readString(files.get(1)));
  }

  /** Otherwise nothing tells where the old shard is. */
  @Test
  void theHiddenLinkToAFileThatCannotBeBroughtBackStays() {
    Consumer<Path> takeItsName =
        synced -> {
          try {
            if (synced.endsWith("disk0")) {
              Files.createDirectories(files.get(0).resolve("taken"));
            }
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    assertThrows(FileSystemException.class, () -> publish(takeItsName));
    assertEquals(1, hiddenLinks(root.resolve("D")));
    assertTrue(Files.isRegularFile(files.get(1)));
  }
}
