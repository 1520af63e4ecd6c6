package org.braid.lab.namespace;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/** Operations on directory trees. */
public final class FileTrees {
  private FileTrees() {}

  /** Deletes a tree if it exists. */
  public static void delete(Path path) throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Bytes of all files; ignores files that are deleted meanwhile. */
  public static long size(Path path) {
    try (Stream<Path> files = Files.walk(path)) {
      return files.mapToLong(FileTrees::sizeOfFile).sum();
    } catch (IOException | UncheckedIOException e) {
      return 0;
    }
  }

  /**
   * Bytes in use in the file systems of a directory and of its children: a call to each instead of
   * a walk over all files.
   */
  public static long used(Path path) {
    Map<Object, Long> used = new HashMap<>();
    try (Stream<Path> children = Files.list(path)) {
      for (Path each : Stream.concat(Stream.of(path), children).toList()) {
        File root = each.toFile();
        used.put(Files.getAttribute(each, "unix:dev"), root.getTotalSpace() - root.getFreeSpace());
      }
    } catch (IOException | UncheckedIOException e) {
      return 0;
    }
    return used.values().stream().mapToLong(bytes -> bytes).sum();
  }

  private static long sizeOfFile(Path file) {
    try {
      return Files.isRegularFile(file) ? Files.size(file) : 0;
    } catch (IOException e) {
      return 0;
    }
  }
}
