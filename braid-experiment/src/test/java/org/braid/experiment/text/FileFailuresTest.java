package org.braid.experiment.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

final class FileFailuresTest {
  @Test
  void theReasonIsMoreThanTheName() {
    assertEquals("No such file or directory", FileFailures.reason(new NoSuchFileException("/x")));
    assertEquals("Permission denied", FileFailures.reason(new AccessDeniedException("/x")));
    assertEquals("File exists", FileFailures.reason(new FileAlreadyExistsException("/x")));
    assertEquals(
        "Is a directory",
        FileFailures.reason(new FileSystemException("/x", null, "Is a directory")));
    assertEquals("FileSystemException", FileFailures.reason(new FileSystemException("/x")));
    assertEquals("No space left", FileFailures.reason(new IOException("No space left")));
    assertEquals("IOException", FileFailures.reason(new IOException()));
  }
}
