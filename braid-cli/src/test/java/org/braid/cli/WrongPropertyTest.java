package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.hdfs.Braid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Properties of Hadoop with values that Hadoop refuses, wherever it reads them. */
final class WrongPropertyTest {
  private static Run run(String command, String fileSystem, List<String> properties) {
    List<String> words = new ArrayList<>(List.of(command, "-fs", fileSystem));
    properties.forEach(property -> words.addAll(List.of("-D", property)));
    return Run.of(Braid::connect, words.toArray(String[]::new));
  }

  private static void assertNamed(String property, Run run) {
    String[] parts = property.split("=", 2);
    String begin = "braid: %s = \"%s\" (command line): ".formatted(parts[0], parts[1]);
    assertTrue(run.err().startsWith(begin), run.err());
    assertEquals(1, run.err().lines().count(), run.err());
    assertEquals("", run.out());
    assertEquals(3, run.status());
  }

  @ParameterizedTest
  @CsvSource({
    "status, ipc.client.connect.max.retries=abc",
    "status, dfs.client.socket-timeout=soon",
    "status, dfs.blocksize=8x",
    "check, dfs.replication=three",
    "status, io.file.buffer.size=4q",
    "status, dfs.client.block.write.replace-datanode-on-failure.policy=SOMETIMES",
    "status, hadoop.rpc.socket.factory.class.default=no.such.Class",
    "status, hadoop.security.authentication=nobody",
    "check, hadoop.security.authentication=nobody",
    "check, dfs.http.policy=MAYBE",
    "check, dfs.namenode.http-address=nn:abc",
  })
  void theLineNamesPropertyAndValue(String command, String property) {
    List<String> properties = List.of("dfs.namenode.http-address=127.0.0.1:1", property);
    assertNamed(property, run(command, "hdfs://127.0.0.1:1", properties));
  }

  @ParameterizedTest
  @ValueSource(strings = {"no.such.Class", "java.lang.String"})
  void aWrongProxyProviderIsNamed(String name) {
    String property = "dfs.client.failover.proxy.provider.ns=" + name;
    List<String> properties =
        List.of(
            "dfs.nameservices=ns",
            "dfs.ha.namenodes.ns=a,b",
            "dfs.namenode.rpc-address.ns.a=127.0.0.1:1",
            "dfs.namenode.rpc-address.ns.b=127.0.0.1:2",
            property);
    assertNamed(property, run("status", "hdfs://ns", properties));
    assertNamed(property, run("check", "hdfs://ns", properties));
  }

  /** Hadoop reads many values no sooner than it needs them. */
  @Test
  void oneThatIsReadDuringTheWorkIsNamedToo() {
    ClusterConnector late =
        connection -> {
          Configuration conf = new Configuration(false);
          connection.properties().forEach(conf::set);
          throw new AssertionError(conf.getInt("dfs.some.late.size", 0));
        };
    String property = "dfs.some.late.size=4 kB";
    assertNamed(property, Run.of(late, "fsck", "-D", property));
  }
}
