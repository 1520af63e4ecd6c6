package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.util.List;
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

  /** Commands learn it from the coordinator, from the NameNode or from HDFS's client. */
  @Test
  void aMissingPathIsSaidInTheSameWords() {
    for (String said :
        List.of(
            "/no/$1 x does not exist",
            "File does not exist: /no/$1 x",
            "File does not exist: /no/$1 x\n\tat org.apache.hadoop",
            "File /no/$1 x does not exist.")) {
      assertEquals(
          "/no/$1 x does not exist", CommandErrors.line(new FileNotFoundException(said)), said);
    }
    for (String other :
        List.of(
            "configuration /x cannot be read",
            "File does not exist: /x (inode 16400) Holder DFSClient_1 does not have any open"
                + " files.")) {
      assertEquals(other, CommandErrors.line(new FileNotFoundException(other)));
    }
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
    for (String line : List.of("status --json", "status", "codes list", "--help")) {
      var err = new ByteArrayOutputStream();
      assertEquals(1, run(full, err, line), line);
      assertEquals(
          "braid: the result could not be written to standard output" + System.lineSeparator(),
          err.toString(StandardCharsets.UTF_8));
    }
  }

  /** As of {@code braid codes list | head -1}. */
  @Test
  void aPipeThatNobodyReadsAnyMoreIsNoFailure() throws IOException {
    Pipe pipe = Pipe.open();
    pipe.source().close();
    try (OutputStream unread = Channels.newOutputStream(pipe.sink())) {
      for (String line : List.of("status --json", "status", "codes list", "--help")) {
        var err = new ByteArrayOutputStream();
        assertEquals(0, run(unread, err, line), line);
        assertEquals("", err.toString(StandardCharsets.UTF_8));
      }
    }
  }

  private static int run(OutputStream out, OutputStream err, String line) {
    return Main.run(line.split(" "), out, err, new FakeCluster(), Termination.ofCommand());
  }
}
