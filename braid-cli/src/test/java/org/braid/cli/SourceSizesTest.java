package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Packages of main code, and all files, are small enough to hold in one's head. */
final class SourceSizesTest {
  private static final int FILES_A_PACKAGE = 25;
  private static final int LINES_A_FILE = 500;

  @Test
  void packagesHaveFewFiles() throws IOException {
    Map<String, Long> files =
        Project.mainCode().stream()
            .collect(
                Collectors.groupingBy(
                    SourceSizesTest::packageOf, TreeMap::new, Collectors.counting()));
    assertTrue(files.containsKey("org.braid.cli"), "packages seen: " + files.keySet());
    files.values().removeIf(count -> count <= FILES_A_PACKAGE);
    assertEquals(Map.of(), files, "packages of more than " + FILES_A_PACKAGE + " files");
  }

  @Test
  void filesHaveFewLines() throws IOException {
    List<Path> files = new ArrayList<>(Project.mainCode());
    files.addAll(Project.testCode());
    assertTrue(files.stream().anyMatch(file -> file.endsWith("SourceSizesTest.java")), "no test");
    List<String> large = new ArrayList<>();
    for (Path file : files) {
      int lines = Files.readAllLines(file).size();
      if (lines > LINES_A_FILE) {
        large.add(file.getFileName() + " has " + lines + " lines");
      }
    }
    assertEquals(List.of(), large, "files of more than " + LINES_A_FILE + " lines");
  }

  private static String packageOf(Path file) {
    String path = Objects.requireNonNull(file.getParent()).toString().replace('/', '.');
    return path.substring(path.lastIndexOf("java.org.") + "java.".length());
  }
}
