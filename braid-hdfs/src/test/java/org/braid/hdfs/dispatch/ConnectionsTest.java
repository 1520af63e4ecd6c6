package org.braid.hdfs.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.RefusedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ConnectionsTest {
  @TempDir Path directory;

  private static Connection with(String name, String value) {
    return new Connection(Optional.of("hdfs://nn:8020"), List.of(), Map.of(name, value));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "braid.repair.delay",
        "braid.repair.timeout",
        "braid.repair.per-node",
        "braid.repair.per-uplink",
        "braid.repair.urgent-spare",
        "braid.coordinator.lease-wait",
        "braid.daemon.cut-off-after",
        "braid.network.link",
      })
  void aMalformedValueIsRefusedWithItsProperty(String key) {
    RefusedException refused =
        assertThrows(RefusedException.class, () -> Connections.configuration(with(key, "soon")));
    assertTrue(
        refused.getMessage().startsWith(key + " = \"soon\" (command line): it is not a"),
        refused.getMessage());
    assertTrue(refused.isMisuse());
  }

  @Test
  void aValueOutOfItsRangeIsRefusedWithItsProperty() {
    RefusedException refused =
        assertThrows(
            RefusedException.class,
            () -> Connections.configuration(with("braid.repair.per-node", "0")));
    assertTrue(
        refused
            .getMessage()
            .startsWith("braid.repair.per-node = \"0\" (command line): it is out of range"),
        refused.getMessage());
  }

  @Test
  void aMisspeltPropertyOfTheCommandLineIsRefusedWithTheNearest() {
    RefusedException refused =
        assertThrows(
            RefusedException.class,
            () -> Connections.configuration(with("braid.repair.dealy", "15m")));
    assertTrue(
        refused.getMessage().endsWith("did you mean braid.repair.delay?"), refused.getMessage());
    assertTrue(refused.isMisuse());
  }

  /** Whoever ran the command did not write it. */
  @Test
  void aMalformedValueOfAFileIsNoMisuse() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("site.xml"),
            "<configuration><property><name>braid.repair.delay</name><value>soon</value></property>"
                + "</configuration>");
    Connection connection = new Connection(Optional.empty(), List.of(file), Map.of());
    RefusedException refused =
        assertThrows(RefusedException.class, () -> Connections.configuration(connection));
    assertFalse(refused.isMisuse());
  }

  @Test
  void oneOfAFileIsNoReasonToStop() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("site.xml"),
            "<configuration><property><name>braid.repair.dealy</name><value>15m</value></property>"
                + "</configuration>");
    Connection connection = new Connection(Optional.empty(), List.of(file), Map.of());
    assertEquals("15m", Connections.configuration(connection).get("braid.repair.dealy"));
  }

  @Test
  void aFileThatIsNoXmlIsNamedInOneLine() throws Exception {
    Path file = Files.writeString(directory.resolve("site.xml"), "<configuration>\n<property>\n");
    Connection connection = new Connection(Optional.empty(), List.of(file), Map.of());
    IOException failed =
        assertThrows(IOException.class, () -> Connections.configuration(connection));
    String said = String.valueOf(failed.getMessage());
    assertTrue(said.startsWith("the configuration cannot be read: "), said);
    assertTrue(said.contains(file.toString()), said);
    assertEquals(1, said.lines().count(), said);
  }
}
