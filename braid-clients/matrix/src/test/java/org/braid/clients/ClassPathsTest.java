package org.braid.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
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

  /** A build makes it when it is told to; else one that an earlier build left would be tried. */
  @Test
  void aJarForJava8ThatIsOlderThanTheOtherIsOfAnotherBuild() throws IOException {
    Path jar = Files.writeString(directory.resolve("braid-client-1.0-SNAPSHOT.jar"), "");
    Path older = Files.writeString(directory.resolve("braid-client-1.0-SNAPSHOT-java8.jar"), "");
    Files.setLastModifiedTime(older, FileTime.fromMillis(2_000));
    Files.setLastModifiedTime(jar, FileTime.fromMillis(1_000));
    assertEquals(Optional.of(older.toString()), ClassPaths.built(directory, "-java8.jar"));
    Files.setLastModifiedTime(jar, FileTime.fromMillis(3_000));
    assertEquals(Optional.empty(), ClassPaths.built(directory, "-java8.jar"));
    assertEquals(Optional.of(jar.toString()), ClassPaths.built(directory, "SNAPSHOT.jar"));
  }
}
