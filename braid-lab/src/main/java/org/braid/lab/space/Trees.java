package org.braid.lab.space;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Directories with all below them. */
public final class Trees {
  private Trees() {}

  /** Deletes one, if it is there. */
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

  /** Bytes of all its files; those that go away meanwhile do not count. */
  public static long size(Path path) {
    try (Stream<Path> files = Files.walk(path)) {
      return files.mapToLong(Trees::sizeOfFile).sum();
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
