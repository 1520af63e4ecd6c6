package org.braid.shard.io;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class FileErrorsTest {
  @Test
  void theReasonIsMoreThanTheName() {
    assertEquals(
        "/x: cannot be made a directory: no such file or directory",
        failed(new NoSuchFileException("/x")));
    assertEquals(
        "/x: cannot be made a directory: no permission", failed(new AccessDeniedException("/x")));
    assertEquals(
        "/x: cannot be made a directory: Not a directory",
        failed(new FileSystemException("/x", null, "Not a directory")));
    assertEquals(
        "/x: cannot be made a directory: FileSystemException",
        failed(new FileSystemException("/x")));
    assertEquals(
        "/x: cannot be made a directory: No space left", failed(new IOException("No space left")));
  }

  private static String failed(IOException cause) {
    return String.valueOf(
        FileErrors.failed(Path.of("/x"), "cannot be made a directory", cause).getMessage());
  }
}
