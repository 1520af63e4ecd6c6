package org.braid.cli.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A local file that the demo stores.
 *
 * @param local its local path
 * @param name its unique name in HDFS
 * @param bytes its length
 */
record InputFile(Path local, String name, long bytes) {
  /**
   * The files of a command line; directories stand for all files below them. Without any, a large
   * file that every JDK ships.
   *
   * @throws IOException when one does not exist or cannot be read
   */
  static List<InputFile> of(List<Path> named) throws IOException {
    List<InputFile> files = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Path file : named.isEmpty() ? List.of(fileOfTheJdk()) : expand(named)) {
      String last = String.valueOf(file.toAbsolutePath().getFileName()).replace(':', '_');
      String name = last;
      for (int i = 2; !names.add(name); i++) {
        name = last + "-" + i;
      }
      files.add(new InputFile(file, name, Files.size(file)));
    }
    return files;
  }

  private static List<Path> expand(List<Path> named) throws IOException {
    List<Path> files = new ArrayList<>();
    for (Path path : named) {
      if (!Files.exists(path)) {
        throw new NoSuchFileException(path.toString());
      }
      List<Path> found = filesBelow(path);
      if (found.isEmpty()) {
        throw new IOException(path + " holds no file");
      }
      for (Path file : found) {
        if (!Files.isReadable(file)) {
          throw new IOException(file + " cannot be read");
        }
      }
      files.addAll(found);
    }
    return files;
  }

  private static List<Path> filesBelow(Path path) throws IOException {
    try (Stream<Path> below = Files.walk(path)) {
      return below.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static Path fileOfTheJdk() throws IOException {
    Path java = Path.of(System.getProperty("java.home"));
    Path modules = java.resolve("lib").resolve("modules");
    if (Files.isReadable(modules)) {
      return modules;
    }
    try (Stream<Path> below = Files.walk(java)) {
      return below
          .filter(Files::isRegularFile)
          .max(Comparator.comparingLong(file -> file.toFile().length()))
          .orElseThrow(() -> new NoSuchFileException(modules.toString()));
    }
  }
}
