package org.braid.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReportFileTest {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path directory;

  private static void refused(Path path, String reason) {
    String message =
        String.valueOf(assertThrows(IOException.class, () -> ReportFile.of(path)).getMessage());
    assertEquals("the report cannot be written to " + path + ": " + reason, message);
  }

  @Test
  void whatCannotBeWrittenIsRefusedBeforeTheWork() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "kept");
    refused(directory, "Is a directory");
    refused(directory.resolve("none").resolve("report.html"), "No such file or directory");
    refused(file.resolve("report.html"), "Not a directory");
    Path nowhere = directory.resolve("nowhere");
    Files.createSymbolicLink(nowhere, directory.resolve("none").resolve("report.html"));
    refused(nowhere, "No such file or directory");
    assertEquals("kept", Files.readString(file));
  }

  @Test
  void aFileWithoutPermissionIsRefusedBeforeTheWork() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "kept");
    assumeTrue(file.toFile().setReadOnly() && !Files.isWritable(file), "not for root");
    refused(file, "Permission denied");
  }

  @Test
  void theCheckLeavesNothingBehind() throws IOException {
    Path link = directory.resolve("link");
    Files.createSymbolicLink(link, Path.of("target"));
    ReportFile.of(directory.resolve("new"));
    ReportFile report = ReportFile.of(link);
    try (Stream<Path> files = Files.list(directory)) {
      assertEquals(1, files.count());
    }
    report.write("text");
    assertTrue(Files.isSymbolicLink(link));
    assertEquals("text", Files.readString(directory.resolve("target")));
    ReportFile.of(link);
    assertEquals("text", Files.readString(link));
  }

  @Test
  void aFullDiskIsNamedWithTheFile() throws IOException {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.isWritable(full));
    ReportFile report = ReportFile.of(full);
    assertEquals(
        "the report cannot be written to /dev/full: No space left on device",
        assertThrows(IOException.class, () -> report.write("text")).getMessage());
  }
}
