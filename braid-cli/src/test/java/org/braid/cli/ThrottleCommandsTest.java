package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

/** The commands on the throttle, without a cluster. */
final class ThrottleCommandsTest {
  private final FakeCluster cluster = new FakeCluster();

  private Run run(String line) {
    return Run.of(cluster, line.split(" "));
  }

  @Test
  void theThrottleIsShownSetAndCleared() throws Exception {
    String shown = run("throttle show").out();
    assertTrue(
        shown.lines().anyMatch(l -> l.matches("each node's network +no limit +default")), shown);
    assertTrue(
        shown
            .lines()
            .anyMatch(l -> l.matches("each node's disks +100.0 MiB/s +braid\\.throttle\\.disk")),
        shown);
    JsonNode set = run("throttle set --node 50m --site 0 --latency-target 5ms --json").json();
    assertTrue(set.get("ok").booleanValue());
    assertEquals(50 << 20, set.get("node").intValue());
    assertTrue(set.get("uplink").isNull());
    assertEquals(0, set.get("site").intValue());
    assertEquals("site", set.get("stopped").asText());
    assertEquals("SET", set.get("sources").get("node").asText());
    String stopped = run("throttle show").out();
    assertTrue(stopped.contains("work in the background stops where it needs: site"), stopped);
    String status = run("status").out();
    assertTrue(
        status.contains(
            "throttle: node 50.0 MiB/s, disk 100.0 MiB/s, site stopped, gives way above 5.00 ms a"
                + " packet; work in the background stops where it needs: site"),
        status);
    assertTrue(run("throttle clear --json").json().get("node").isNull());
    assertEquals(100 << 20, run("status --json").json().get("throttle").get("disk").intValue());
  }

  @Test
  void wrongUsageIsNamed() {
    Run nothing = run("throttle set");
    assertEquals(2, nothing.status());
    assertTrue(nothing.err().contains("nothing is to be set"), nothing.err());
    assertTrue(cluster.connections.isEmpty());
    Run much = run("throttle set --node much");
    assertEquals(2, much.status());
    assertTrue(much.err().contains("braid.throttle.node = \"much\""), much.err());
  }
}
