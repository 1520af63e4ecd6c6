package org.braid.lab.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClassPathTest {
  @TempDir private Path dir;

  @Test
  void whatChangesComesLast() throws IOException {
    Path classes = Files.createDirectory(dir.resolve("classes"));
    Path own = Files.createFile(dir.resolve("braid-lab-1.jar"));
    Path first = Files.createFile(dir.resolve("hadoop.jar"));
    Path second = Files.createFile(dir.resolve("a.jar"));
    String text =
        String.join(
            File.pathSeparator,
            classes.toString(),
            own.toString(),
            first.toString(),
            dir.resolve("missing.jar").toString(),
            second.toString());
    ClassPath path = ClassPath.of(text);
    assertEquals(List.of(first, second), path.stable());
    assertEquals(List.of(classes, own), path.own());
    assertEquals(first + File.pathSeparator + second, path.first());
  }

  /** What is there already is not there twice, and what no build changes stays before the rest. */
  @Test
  void furtherJarsStandBehindThoseThatAreThere() throws IOException {
    Path own = Files.createFile(dir.resolve("braid-lab-1.jar"));
    Path hadoop = Files.createFile(dir.resolve("hadoop.jar"));
    Path others = Files.createDirectory(dir.resolve("yarn"));
    Path same = Files.createFile(others.resolve("hadoop.jar"));
    Path yarn = Files.createFile(others.resolve("yarn.jar"));
    Path site = Files.createDirectory(dir.resolve("site"));
    ClassPath path =
        ClassPath.of(own + File.pathSeparator + hadoop).with(List.of(same, yarn), site);
    assertEquals(List.of(hadoop, yarn, own, site), path.entries());
    assertEquals(hadoop + File.pathSeparator + yarn, path.first());
  }
}
