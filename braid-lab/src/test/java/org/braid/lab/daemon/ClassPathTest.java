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
}
