package org.braid.experiment.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

final class FileErrorsTest {
  @Test
  void theReasonIsMoreThanTheName() {
    assertEquals("No such file or directory", FileErrors.reason(new NoSuchFileException("/x")));
    assertEquals("Permission denied", FileErrors.reason(new AccessDeniedException("/x")));
    assertEquals("File exists", FileErrors.reason(new FileAlreadyExistsException("/x")));
    assertEquals(
        "Is a directory", FileErrors.reason(new FileSystemException("/x", null, "Is a directory")));
    assertEquals("FileSystemException", FileErrors.reason(new FileSystemException("/x")));
    assertEquals("No space left", FileErrors.reason(new IOException("No space left")));
    assertEquals("IOException", FileErrors.reason(new IOException()));
  }
}
