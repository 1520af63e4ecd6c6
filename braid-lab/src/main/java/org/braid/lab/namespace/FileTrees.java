package org.braid.lab.namespace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
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

  private static long sizeOfFile(Path file) {
    try {
      return Files.isRegularFile(file) ? Files.size(file) : 0;
    } catch (IOException e) {
      return 0;
    }
  }
}
