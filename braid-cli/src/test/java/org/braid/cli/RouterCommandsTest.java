package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.ConvertRequest;
import org.braid.hdfs.api.RefusedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that are given a router, and paths as its clients see them. */
final class RouterCommandsTest {
  private static final String ROUTER = "hdfs://router:8888";
  private static final String NAME_NODE = "hdfs://one";

  private final FakeCluster cluster = new FakeCluster();
  private final List<List<String>> asked = new ArrayList<>();

  /** A router that has its mounts below {@code /m}. */
  private final class Router implements ClusterConnector {
    @Override
    public Cluster connect(Connection connection) throws IOException {
      if (connection.fileSystem().equals(Optional.of(ROUTER))) {
        throw RefusedException.ofRouter(ROUTER + " is a router");
      }
      return cluster.connect(connection);
    }

    @Override
    public Connection.Behind behind(Connection connection, List<String> paths)
        throws RefusedException {
      asked.add(paths);
      if (paths.contains("/")) {
        throw new RefusedException("/ has mounts below it");
      }
      return new Connection.Behind(
          new Connection(Optional.of(NAME_NODE), List.of(), Map.of()),
          paths.stream().map(path -> path.replaceFirst("^/m", "")).toList());
    }
  }

  private Run run(String command) {
    return Run.of(new Router(), command.split(" "));
  }

  @Test
  void pathsAreThoseOfTheNameNode() {
    Run run = run("convert --json " + ROUTER + "/m/good " + ROUTER + "/m/empty");
    assertEquals(0, run.status(), run.err());
    assertEquals(List.of(List.of("/m/good", "/m/empty")), asked);
    assertEquals(List.of("/good", "/empty"), ((ConvertRequest) cluster.requests.get(0)).paths());
    assertEquals(
        List.of(
            "behind the router, /m/good is hdfs://one/good",
            "behind the router, /m/empty is hdfs://one/empty"),
        run.err().lines().toList());
    assertEquals(1, cluster.connections.size());
    assertEquals(1, cluster.closed);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"restore", "status", "du", "fsck", "repair", "scrub", "policy explain", "convert"})
  void everyCommandOnAPathFindsItThere(String command) {
    Run there = run(command + " -fs " + ROUTER + " /m/missing");
    assertEquals(1, there.status(), there.err());
    assertEquals(
        List.of(
            "behind the router, /m/missing is hdfs://one/missing",
            "braid: /missing does not exist"),
        there.err().lines().toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"status", "fsck", "repair"})
  void withoutAPathItIsTheRoot(String command) {
    Run run = run(command + " -fs " + ROUTER);
    assertEquals(3, run.status(), run.err());
    assertEquals("braid: / has mounts below it", run.err().strip());
  }

  /** Policies, throttle and daemon are those of one NameNode, which its own address names. */
  @ParameterizedTest
  @ValueSource(strings = {"daemon", "policy list", "policy explain --all", "throttle show"})
  void commandsOnAllOfAClusterAreRefused(String command) {
    Run run = run(command + " -fs " + ROUTER);
    assertEquals(3, run.status(), run.err());
    assertEquals("braid: " + ROUTER + " is a router", run.err().strip());
    assertTrue(asked.isEmpty(), asked.toString());
  }
}
