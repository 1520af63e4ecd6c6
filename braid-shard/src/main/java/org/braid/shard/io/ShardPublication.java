package org.braid.shard.io;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Gives all shards of a set their names, or none.
 *
 * <p>The files that the set replaces get hidden names first and are deleted last. A failure gives
 * them their names back. A crash leaves the shards of both sets, and both can be decoded: a shard
 * is known by its header.
 */
public final class ShardPublication {
  private final List<ShardWriter> writers;
  private final OverwritePolicy overwrite;
  private final Set<Path> replaced = new LinkedHashSet<>();

  /** Hidden names by the names that the files had. */
  private final Map<Path, Path> aside = new LinkedHashMap<>();

  private final Set<Path> published = new LinkedHashSet<>();

  private ShardPublication(
      List<ShardWriter> writers, Collection<Path> replaced, OverwritePolicy overwrite) {
    this.writers = writers;
    this.overwrite = overwrite;
    this.replaced.addAll(replaced);
  }

  /**
   * Publishes finished shards.
   *
   * @param replaced files that go when the shards have their names; the files at the shards' own
   *     names need not be among them
   * @throws org.braid.shard.report.ShardRefusedException when a file of a shard's name exists and
   *     is not to be replaced
   * @throws IOException when a file cannot be renamed; the files are as they were then. Or when a
   *     file that was replaced cannot be deleted: the new set is there then
   */
  public static void publish(
      List<ShardWriter> writers, Collection<Path> replaced, OverwritePolicy overwrite)
      throws IOException {
    ShardPublication publication = new ShardPublication(writers, replaced, overwrite);
    Temporaries.ofProcess().publish(publication::run);
  }

  /** Refuses a shard's path that is a directory: it cannot be replaced. */
  public static void checkTarget(Path target) throws IOException {
    if (Files.isDirectory(target)) {
      throw new FileSystemException(target.toString(), null, "is a directory");
    }
  }

  private void run() throws IOException {
    for (ShardWriter writer : writers) {
      checkTarget(writer.target());
      if (overwrite == OverwritePolicy.REPLACE) {
        replaced.add(writer.target());
      }
    }
    try {
      for (Path file : replaced) {
        setAside(file);
      }
      sync(aside.keySet());
      for (ShardWriter writer : writers) {
        writer.publish(overwrite);
        published.add(writer.target());
      }
      sync(published);
    } catch (IOException | RuntimeException e) {
      undo(e);
      throw e;
    }
    deleteReplaced();
  }

  private void deleteReplaced() throws IOException {
    IOException failure = null;
    for (Path hidden : aside.values()) {
      try {
        Files.deleteIfExists(hidden);
      } catch (IOException e) {
        if (failure == null) {
          failure =
              FileErrors.failed(
                  hidden, "is of the set that was replaced by a new one, and cannot be deleted", e);
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private void setAside(Path file) throws IOException {
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Path hidden = AtomicFile.temporary(file);
    try {
      Files.move(file, hidden, StandardCopyOption.ATOMIC_MOVE);
      aside.put(file, hidden);
    } catch (NoSuchFileException e) {
      // Another process has deleted it meanwhile.
      return;
    } catch (IOException e) {
      throw FileErrors.failed(file, "cannot be replaced", e);
    }
  }

  /** Brings back what was set aside and deletes what was published, as far as possible. */
  private void undo(Exception failure) {
    aside.forEach(
        (file, hidden) -> {
          try {
            Files.move(hidden, file, StandardCopyOption.ATOMIC_MOVE);
          } catch (IOException e) {
            failure.addSuppressed(e);
          }
        });
    for (Path file : published) {
      try {
        if (!aside.containsKey(file)) {
          Files.deleteIfExists(file);
        }
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
    }
    sync(aside.keySet());
  }

  private static void sync(Set<Path> files) {
    Set<Path> directories = new LinkedHashSet<>();
    for (Path file : files) {
      Path directory = file.toAbsolutePath().getParent();
      if (directory != null) {
        directories.add(directory);
      }
    }
    directories.forEach(AtomicFile::syncDirectory);
  }
}
