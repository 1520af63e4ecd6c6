package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.cli.command.Termination;

/** What a command line printed and returned. */
record Run(int status, String out, String err) {
  static Run of(ClusterConnector connector, String... args) {
    return of(connector, Termination.ofCommand(), args);
  }

  static Run of(ClusterConnector connector, Termination termination, String... args) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    int status =
        Main.run(
            args,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            connector,
            termination);
    return new Run(
        status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /** Standard output as exactly one JSON object. */
  JsonNode json() throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    mapper.enable(com.fasterxml.jackson.databind.DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    JsonNode node = mapper.readTree(out);
    if (!node.isObject()) {
      throw new IOException("not an object: " + out);
    }
    return node;
  }

  /** Asserts that it failed and said so, and nothing else, in one line of standard error. */
  void assertFailed(int expected, String message) {
    assertEquals(expected, status, err);
    assertEquals("", out);
    assertEquals(1, err.lines().count(), err);
    assertTrue(err.contains(message), err);
  }
}
