package org.braid.hdfs.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetUtils;
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

  private static String refused(String fileSystem) throws IOException {
    Configuration conf =
        Connections.configuration(
            new Connection(
                Optional.of(fileSystem).filter(named -> !named.isEmpty()), List.of(), Map.of()));
    return String.valueOf(
        assertThrows(IOException.class, () -> Connections.open(conf)).getMessage());
  }

  @Test
  void withoutAnHdfsItIsSaidHowToNameOne() throws Exception {
    assertEquals(
        "no fs.defaultFS names an HDFS: give its address by -fs, as in -fs hdfs://namenode:8020, or"
            + " Hadoop's configuration by -conf or HADOOP_CONF_DIR",
        refused(""));
    assertEquals(
        "fs.defaultFS = \"file:///\" (command line): it is not an HDFS; give one by -fs, as in -fs"
            + " hdfs://namenode:8020",
        refused("file:///"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "file:///", "http://x", "nosuch://x", "hdfs:///"})
  void whoNamesNoHdfsMisusesTheCommand(String fileSystem) throws Exception {
    Optional<String> named = Optional.of(fileSystem).filter(name -> !name.isEmpty());
    Configuration conf = Connections.configuration(new Connection(named, List.of(), Map.of()));
    RefusedException refused = assertThrows(RefusedException.class, () -> Connections.open(conf));
    assertTrue(refused.isMisuse(), refused.getMessage());
    String begin = "fs.defaultFS = \"" + fileSystem + "\" (command line): it ";
    assertTrue(
        named.isEmpty() || String.valueOf(refused.getMessage()).startsWith(begin),
        refused.getMessage());
  }

  @Test
  void anotherFileSystemOfAFileIsNoMisuse() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("site.xml"),
            "<configuration><property><name>fs.defaultFS</name><value>file:///</value></property>"
                + "</configuration>");
    Configuration conf =
        Connections.configuration(new Connection(Optional.empty(), List.of(file), Map.of()));
    IOException failed = assertThrows(IOException.class, () -> Connections.open(conf));
    assertFalse(failed instanceof RefusedException);
    assertTrue(String.valueOf(failed.getMessage()).contains("site.xml): it is not an HDFS"));
  }

  /** No name server is asked for a name with a part of more than 63 letters. */
  @Test
  void anUnknownHostIsNamedWithTheProperty() throws Exception {
    String host = "a".repeat(64);
    assertEquals(
        "fs.defaultFS = \"hdfs://%s:8020\" (command line): no host is named %s; correct it, or make"
                .formatted(host, host)
            + " the name known to this machine",
        refused("hdfs://" + host + ":8020"));
    assertEquals(
        "fs.defaultFS = \"hdfs://%s\" (command line): no host is named %s; correct it; if it is a"
                .formatted(host, host)
            + " name service, give the hdfs-site.xml that names its NameNodes by -conf or"
            + " HADOOP_CONF_DIR",
        refused("hdfs://" + host));
  }

  @Test
  void anUnknownHostOfANameServiceIsNamedWithItsProperty() {
    Configuration conf = new Configuration(false);
    conf.set("dfs.nameservices", "ns");
    conf.set("dfs.ha.namenodes.ns", "n1,n2");
    conf.set("dfs.namenode.rpc-address.ns.n1", "nosuch:8020");
    conf.set("dfs.namenode.rpc-address.ns.n2", "nosuch:8021");
    conf.set("dfs.client.failover.proxy.provider.ns", "any");
    URI uri = URI.create("hdfs://ns");
    IOException failure =
        NetUtils.wrapException("nosuch", 8021, "vm", 0, new UnknownHostException());
    assertEquals(
        Optional.of(
            "hdfs://ns cannot be reached: nosuch:8021: no host has this name: correct"
                + " dfs.namenode.rpc-address.ns.n2, or make the name known to this machine"),
        Connections.unknownHost(uri, conf, failure));
    assertEquals(Optional.empty(), Connections.unknownHost(uri, conf, new IOException("no space")));
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
