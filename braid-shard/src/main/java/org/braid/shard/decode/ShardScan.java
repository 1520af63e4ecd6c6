package org.braid.shard.decode;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.braid.shard.format.ShardHeader;
import org.braid.shard.format.ShardNames;
import org.braid.shard.io.AtomicFile;
import org.braid.shard.io.FileErrors;
import org.braid.shard.report.ShardState;
import org.braid.shard.report.UnusedFile;

/**
 * The shards in a directory and its direct sub-directories: every file with the name of a shard or
 * the magic number of shards. Other temporary files count as faulty shards.
 *
 * @param directory the directory
 * @param shards files with a good header, by path
 * @param faulty files without, by path
 */
record ShardScan(Path directory, List<Shard> shards, List<UnusedFile> faulty) {
  private static final int DEPTH = 2;

  /**
   * A file with a good header.
   *
   * @param path relative to the directory
   * @param header its header
   * @param size its length in bytes
   */
  record Shard(Path path, ShardHeader header, long size) {}

  static ShardScan of(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      throw new FileSystemException(directory.toString(), null, "there is no such directory");
    }
    if (!Files.isDirectory(directory)) {
      throw new FileSystemException(directory.toString(), null, "is not a directory");
    }
    List<Path> files = new ArrayList<>();
    List<UnusedFile> faulty = new ArrayList<>();
    Files.walkFileTree(
        directory,
        EnumSet.of(java.nio.file.FileVisitOption.FOLLOW_LINKS),
        DEPTH,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile()) {
              files.add(file);
            } else if (attributes.isSymbolicLink() && AtomicFile.isTemporary(file)) {
              faulty.add(temporary(directory.relativize(file))); // it leads to no file
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (file.equals(directory)) {
              throw FileErrors.failed(directory, "cannot be listed", e);
            }
            faulty.add(unreadable(directory.relativize(file), e));
            return FileVisitResult.CONTINUE;
          }
        });
    files.sort(Comparator.naturalOrder());
    List<Shard> shards = new ArrayList<>();
    for (Path file : files) {
      look(directory, file, shards, faulty);
    }
    return new ShardScan(directory, List.copyOf(shards), List.copyOf(faulty));
  }

  private static void look(Path directory, Path file, List<Shard> shards, List<UnusedFile> faulty) {
    Path shown = directory.relativize(file);
    boolean named = shown.toString().endsWith(ShardNames.SUFFIX);
    try (FileChannel channel = FileChannel.open(file)) {
      if (named || ShardHeader.isShard(channel)) {
        shards.add(new Shard(shown, ShardHeader.read(channel), channel.size()));
      } else if (AtomicFile.isTemporary(shown)) {
        faulty.add(temporary(shown));
      }
    } catch (ShardHeader.BadHeaderException e) {
      faulty.add(new UnusedFile(shown.toString(), e.state(), String.valueOf(e.getMessage())));
    } catch (IOException e) {
      if (named) {
        faulty.add(unreadable(shown, e));
      }
    }
  }

  private static UnusedFile temporary(Path shown) {
    return new UnusedFile(
        shown.toString(),
        ShardState.TEMPORARY,
        "of a run that was interrupted or goes on; delete it if none goes on");
  }

  private static UnusedFile unreadable(Path shown, IOException e) {
    String message = FileErrors.failed(shown, "cannot be read", e).getReason();
    return new UnusedFile(
        shown.toString(), ShardState.UNREADABLE, Objects.requireNonNullElse(message, ""));
  }
}
