package org.braid.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TemporaryFilesTest {
  @Test
  void filesAndDirectoriesAreMade(@TempDir Path place) throws IOException {
    TemporaryFiles files = new TemporaryFiles(place);
    assertTrue(Files.isDirectory(files.directory("a-")));
    Path file = files.file("b-", ".log");
    assertTrue(Files.isRegularFile(file));
    assertEquals(place, file.getParent());
  }

  @Test
  void aMissingPlaceIsNamedWithTheRemedy(@TempDir Path directory) {
    Path place = directory.resolve("none");
    TemporaryFiles files = new TemporaryFiles(place);
    String message =
        "cannot write to %s, the directory for temporary files (No such file or directory):"
            .formatted(place);
    for (Exception e :
        new Exception[] {
          assertThrows(IOException.class, () -> files.directory("a-")),
          assertThrows(IOException.class, () -> files.file("b-", ".log"))
        }) {
      String said = String.valueOf(e.getMessage());
      assertTrue(said.startsWith(message), said);
      assertTrue(said.endsWith("BRAID_JAVA_OPTS=-Djava.io.tmpdir=DIR"), said);
    }
  }
}
