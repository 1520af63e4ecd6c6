package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import org.braid.cli.command.Termination;
import org.junit.jupiter.api.Test;

final class CommandErrorsTest {
  @Test
  void memoryThatIsNotEnoughIsRaisedInTheWayOfEachLauncher() {
    String line = CommandErrors.line(new OutOfMemoryError());
    assertTrue(line.contains("BRAID_JAVA_OPTS=-Xmx"), line);
    assertTrue(line.contains("hdfs braid with HADOOP_HEAPSIZE_MAX="), line);
  }

  @Test
  void aFileInTheWayIsSaidToBeThere() {
    assertEquals(
        "there is a file already: /reports",
        CommandErrors.line(new FileAlreadyExistsException("/reports")));
  }

  /** As on a full disk: a script would take half a result, or none, for the whole. */
  @Test
  void aResultThatIsNotWrittenIsAFailure() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int value) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    var err = new ByteArrayOutputStream();
    int status =
        Main.run(
            new String[] {"status", "--json"},
            new PrintStream(full, false, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            new FakeCluster(),
            Termination.ofCommand());
    assertEquals(1, status);
    assertEquals(
        "braid: the result could not be written to standard output" + System.lineSeparator(),
        err.toString(StandardCharsets.UTF_8));
  }
}
