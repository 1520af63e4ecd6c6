package org.braid.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The files of this project. */
final class Project {
  private Project() {}

  /** The directory of the parent pom and of the launcher. */
  static Path root() throws IOException {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.isRegularFile(at.resolve("braid")) && Files.exists(at.resolve("braid-cli"))) {
        return at;
      }
    }
    throw new IOException("the project is not above " + Path.of("").toAbsolutePath());
  }

  /** A text of the project, by its path below the root. */
  static String text(String path) throws IOException {
    return Files.readString(root().resolve(path));
  }

  /** The pages for people, by their paths below the root. */
  static List<String> pages() throws IOException {
    Path root = root();
    List<String> pages = new ArrayList<>();
    for (String below : List.of("", "docs", "experiments")) {
      try (Stream<Path> files = Files.list(root.resolve(below))) {
        files
            .filter(file -> file.toString().endsWith(".md"))
            .forEach(file -> pages.add(root.relativize(file).toString()));
      }
    }
    return pages;
  }

  /** The Java files of main code, of all modules. */
  static List<Path> mainCode() throws IOException {
    return code("src/main/java");
  }

  /** The Java files of tests, of all modules. */
  static List<Path> testCode() throws IOException {
    return code("src/test/java");
  }

  private static List<Path> code(String below) throws IOException {
    List<Path> modules;
    try (Stream<Path> directories = Files.find(root(), 2, (path, file) -> file.isDirectory())) {
      modules = directories.map(one -> one.resolve(below)).filter(Files::isDirectory).toList();
    }
    Stream.Builder<Path> files = Stream.builder();
    for (Path module : modules) {
      try (Stream<Path> all = Files.walk(module)) {
        all.filter(file -> file.toString().endsWith(".java")).forEach(files);
      }
    }
    return files.build().sorted().toList();
  }
}
