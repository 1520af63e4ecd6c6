package org.braid.shard.io;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.braid.shard.format.ShardHeader;
import org.braid.shard.report.ShardRefusedException;

/**
 * Gives all shards of a set their names, or none.
 *
 * <p>The files that the set replaces get hidden names first and are deleted last. A failure gives
 * them their names back. A crash may leave shards of both sets, but one set whole: the old one
 * until all new shards have their names, the new one then. Decoding knows shards by their headers
 * and finds them under hidden names too.
 *
 * <p>A shard may be a link to a file on another disk. The file is replaced there, and until then a
 * hidden link beside the link leads to its hidden name. After a crash the link may lead nowhere; a
 * repair writes the shard there again. What decoding does not find after a crash are new shards
 * that have hidden names on another disk; the old set is whole then, and they can be deleted.
 */
public final class ShardPublication {
  /** Links that lead to links, in a row; some may lead in a circle. */
  private static final int MAX_LINKS = 40;

  private final List<ShardWriter> writers;
  private final OverwritePolicy overwrite;
  private final Consumer<Path> sync;
  private final Set<Path> replaced = new LinkedHashSet<>();

  /** The links through which shards are written, by the places of the files they lead to. */
  private final Map<Path, Path> links = new LinkedHashMap<>();

  /** Hidden names by the names that the files had. */
  private final Map<Path, Path> aside = new LinkedHashMap<>();

  /** Hidden links to what is set aside behind links, so that it is found after a crash. */
  private final List<Path> asideLinks = new ArrayList<>();

  private final Set<Path> published = new LinkedHashSet<>();

  private ShardPublication(
      List<ShardWriter> writers,
      List<Path> shards,
      Collection<Path> replaced,
      OverwritePolicy overwrite,
      Consumer<Path> sync) {
    this.sync = sync;
    this.writers = writers;
    this.overwrite = overwrite;
    this.replaced.addAll(replaced);
    for (ShardWriter writer : writers) {
      Path shard = shards.get(writer.block());
      if (!shard.equals(writer.target())) {
        Path place = place(shard);
        links.put(place(writer.target()), shard);
        this.replaced.removeIf(file -> place(file).equals(place)); // the link stays
      }
    }
  }

  /**
   * Publishes finished shards.
   *
   * @param shards the paths of all shards, by block, where writers have {@link #targets}
   * @param replaced files that go when the shards have their names; the files at the shards' own
   *     names need not be among them
   * @throws ShardRefusedException when a file of a shard's name exists and is not to be replaced
   * @throws IOException when a file cannot be renamed; the files are as they were then. Or when a
   *     file that was replaced cannot be deleted: the new set is there then
   */
  public static void publish(
      List<ShardWriter> writers,
      List<Path> shards,
      Collection<Path> replaced,
      OverwritePolicy overwrite)
      throws IOException {
    publish(writers, shards, replaced, overwrite, AtomicFile::syncDirectory);
  }

  /**
   * Publishes finished shards.
   *
   * @param sync makes the entries of a directory durable
   */
  static void publish(
      List<ShardWriter> writers,
      List<Path> shards,
      Collection<Path> replaced,
      OverwritePolicy overwrite,
      Consumer<Path> sync)
      throws IOException {
    ShardPublication publication = new ShardPublication(writers, shards, replaced, overwrite, sync);
    Temporaries.ofProcess().publish(publication::run);
  }

  /**
   * The files of shards, by block: of a link, the file that it leads to, which may be on another
   * disk and need not exist.
   *
   * @throws FileSystemException when one is a directory, or two are the same file
   * @throws ShardRefusedException when a link leads to a device, a pipe, or a file with content
   *     that does not begin as a shard does
   */
  public static List<Path> targets(List<Path> shards) throws IOException {
    List<Path> targets = new ArrayList<>();
    Map<Path, Path> known = new HashMap<>();
    for (Path shard : shards) {
      checkTarget(shard);
      Path file = target(shard);
      if (!file.equals(shard)) {
        checkLinked(shard, file);
      }
      Path same = known.put(Files.exists(file) ? file.toRealPath() : place(file), shard);
      if (same != null) {
        throw new FileSystemException(
            shard.toString(), null, "leads to the same file as " + same + "; move one away");
      }
      targets.add(file);
    }
    return targets;
  }

  /**
   * Where a shard is written: if it is a link, the file that it leads to. A link to a missing file
   * is kept if the directory of the file exists; otherwise the shard replaces the link.
   *
   * @throws ShardRefusedException when the link leads to what is no regular file
   */
  public static Path target(Path shard) throws IOException {
    if (!Files.isSymbolicLink(shard)) {
      return shard;
    }
    if (!Files.exists(shard)) {
      return missing(shard).orElse(shard);
    }
    if (!Files.isRegularFile(shard)) {
      throw new ShardRefusedException(shard + " is no regular file and is not replaced");
    }
    return shard.toRealPath();
  }

  /** The missing file that a link leads to; empty if its directory is missing too. */
  private static Optional<Path> missing(Path link) throws IOException {
    Path file = link.toAbsolutePath();
    for (int i = 0; i < MAX_LINKS && Files.isSymbolicLink(file); i++) {
      file = file.resolveSibling(Files.readSymbolicLink(file));
    }
    Path directory = file.getParent();
    boolean found =
        !Files.isSymbolicLink(file) && directory != null && Files.isDirectory(directory);
    return found ? Optional.of(place(file)) : Optional.empty();
  }

  private static void checkTarget(Path target) throws IOException {
    if (Files.isDirectory(target)) {
      throw new FileSystemException(target.toString(), null, "is a directory");
    }
  }

  /** Refuses a link to a file that is no shard: it has a name of its own and is somebody's. */
  private static void checkLinked(Path link, Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      if (channel.size() > 0 && !ShardHeader.isShard(channel)) {
        throw new ShardRefusedException(
            link + " leads to " + file + ", which is no shard and is not replaced");
      }
    } catch (NoSuchFileException e) {
      return; // the link stays, and the shard is written where it leads
    } catch (ShardRefusedException e) {
      throw e;
    } catch (IOException e) {
      throw FileErrors.failed(link, "leads to a file that cannot be read", e);
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
      Map<Path, Path> hidden = new LinkedHashMap<>();
      Set<Path> places = new HashSet<>();
      for (Path file : replaced) {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && places.add(place(file))) {
          hidden.put(file, AtomicFile.temporary(file));
        }
      }
      for (Map.Entry<Path, Path> entry : hidden.entrySet()) {
        hideLink(entry.getKey(), entry.getValue());
      }
      sync(asideLinks);
      for (Map.Entry<Path, Path> entry : hidden.entrySet()) {
        setAside(entry.getKey(), entry.getValue());
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
    List<IOException> failures = new ArrayList<>();
    List<Path> hidden = new ArrayList<>(aside.values());
    hidden.addAll(asideLinks);
    for (Path file : hidden) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        failures.add(
            FileErrors.failed(
                file, "is of the set that was replaced by a new one, and cannot be deleted", e));
      }
    }
    if (!failures.isEmpty()) {
      IOException first = failures.remove(0);
      failures.forEach(first::addSuppressed);
      throw first;
    }
  }

  /** Makes a hidden link to the hidden name that a file gets, if the file is behind a link. */
  private void hideLink(Path file, Path hidden) throws IOException {
    Path link = links.get(place(file));
    if (link == null) {
      return;
    }
    Path seen = AtomicFile.temporary(link);
    try {
      Files.createSymbolicLink(seen, hidden);
      asideLinks.add(seen);
    } catch (IOException e) {
      throw FileErrors.failed(Objects.requireNonNull(seen.getParent()), "cannot be written", e);
    }
  }

  private void setAside(Path file, Path hidden) throws IOException {
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

  /**
   * Deletes what was published and brings back what was set aside, as far as possible. One file may
   * have several paths, through linked directories: a published file that takes the place of an old
   * one goes when the old one comes back.
   */
  private void undo(Exception failure) {
    Set<Path> old = new HashSet<>();
    aside.keySet().forEach(file -> old.add(place(file)));
    for (Path file : published) {
      try {
        if (!old.contains(place(file))) {
          Files.deleteIfExists(file);
        }
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
    }
    aside.forEach(
        (file, hidden) -> {
          try {
            Files.move(hidden, file, StandardCopyOption.ATOMIC_MOVE);
          } catch (IOException e) {
            failure.addSuppressed(e);
          }
        });
    for (Path link : asideLinks) {
      try {
        if (!Files.exists(link)) { // else its file could not be brought back
          Files.deleteIfExists(link);
        }
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
    }
    sync(aside.keySet());
  }

  /** The path of a file without links; the file itself may be one, and need not exist. */
  public static Path place(Path file) {
    Path absolute = file.toAbsolutePath();
    Path directory = absolute.getParent();
    if (directory == null) {
      return absolute;
    }
    try {
      return directory.toRealPath().resolve(absolute.getFileName());
    } catch (IOException e) {
      return absolute.normalize(); // there is no such directory, or none that can be read
    }
  }

  private void sync(Collection<Path> files) {
    Set<Path> directories = new LinkedHashSet<>();
    for (Path file : files) {
      Path directory = file.toAbsolutePath().getParent();
      if (directory != null) {
        directories.add(directory);
      }
    }
    directories.forEach(sync);
  }
}
