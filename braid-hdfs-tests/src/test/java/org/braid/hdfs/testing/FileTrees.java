package org.braid.hdfs.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Directories with all that is in them. */
public final class FileTrees {
  private FileTrees() {}

  /** Deletes a directory, as far as it can be deleted. */
  public static void delete(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      paths.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
    }
  }
}
