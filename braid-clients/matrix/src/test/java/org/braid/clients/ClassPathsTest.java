package org.braid.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClassPathsTest {
  @TempDir private Path directory;

  /** Else this build would be tried with itself, and pass for two. */
  @Test
  void aDirectoryWithoutBraidsJarsIsNoEarlierBuild() throws IOException {
    Path kit = Files.writeString(directory.resolve("braid-hdfs-testkit-1.0.jar"), "");
    IOException none = assertThrows(IOException.class, () -> ClassPaths.earlier(directory));
    assertTrue(String.valueOf(none.getMessage()).contains(directory.toString()), none.getMessage());
    Files.delete(kit);
    Path jar = Files.writeString(directory.resolve("braid-hdfs-1.0.jar"), "");
    assertEquals(jar.toString(), ClassPaths.earlier(directory));
  }
}
