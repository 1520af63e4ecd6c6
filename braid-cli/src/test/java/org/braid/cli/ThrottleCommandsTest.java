package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.braid.cli.cluster.throttle.ThrottleText;
import org.braid.hdfs.api.view.ThrottleView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    assertTrue(
        shown
            .lines()
            .anyMatch(
                l ->
                    l.matches(
                        "each of these limits, by repair +0\\.7 and what conversion leaves"
                            + " +default")),
        shown);
    assertTrue(
        shown
            .lines()
            .anyMatch(l -> l.matches("a node's limits, while it serves readers +all +default")),
        shown);
    JsonNode set = run("throttle set --node 50m --site 0 --latency-target 5ms --json").json();
    assertTrue(set.get("ok").booleanValue());
    assertEquals(50 << 20, set.get("node").intValue());
    assertTrue(set.get("uplink").isNull());
    assertEquals(0, set.get("site").intValue());
    assertEquals("site", set.get("stopped").asText());
    assertEquals("SET", set.get("sources").get("node").asText());
    assertEquals("SET", set.get("sources").get("latency_target").asText());
    String stopped = run("throttle show").out();
    assertTrue(stopped.contains("work in the background stops where it needs: site"), stopped);
    assertTrue(
        stopped
            .lines()
            .anyMatch(l -> l.matches("a node's limits, .* less above 5\\.00 ms .* throttle set")),
        stopped);
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
  void aConfiguredShareThatIsLimitedIsToldApart() throws Exception {
    JsonNode set = run("throttle set --conversion-share 0.3 --json").json();
    assertEquals("LIMITED", set.get("sources").get("repair_share").asText());
    String shown = run("throttle show").out();
    assertTrue(
        shown
            .lines()
            .anyMatch(l -> l.matches(".* by repair +0\\.7 .* what the share that is set leaves")),
        shown);
  }

  @ParameterizedTest
  @CsvSource({
    "0.1, 100 us",
    "0.999, 999 us",
    "5, 5.00 ms",
    "12.5, 12.5 ms",
    "999, 999 ms",
    "999.7, 1.00 s",
    "2500, 2.50 s",
    "10000, 10 s",
    "18000000, 5.00 h",
  })
  void aLatencyTargetIsWrittenInTheUnitThatSuits(double millis, String time) {
    ThrottleView view =
        new ThrottleView(true, null, null, null, null, null, 0.7, 0.3, millis, "", Map.of());
    assertEquals("throttle: gives way above " + time + " a packet", ThrottleText.line(view));
  }

  @Test
  void wrongUsageIsNamed() {
    run("throttle set").assertFailed(2, "nothing is to be set");
    run("throttle set --node much").assertFailed(2, "braid: node = \"much\": needed is ");
    run("throttle set --node 50m --uplink -5m")
        .assertFailed(2, "uplink = \"-5m\": needed are 65536 (64k) or more");
    run("throttle set --latency-target 5")
        .assertFailed(2, "latency-target = \"5\": needed is a time with its unit, as 5ms");
    run("throttle set --latency-target 5us")
        .assertFailed(2, "latency-target = \"5us\": needed is a time from 100us to 10s");
    run("throttle set --repair-share 0.75 --conversion-share 0.75")
        .assertFailed(2, "the shares of repair and conversion are 1.5 together");
    assertTrue(cluster.connections.isEmpty());
  }

  @Test
  void whatCannotBeBesideWhatIsSetIsWrongUsage() {
    run("throttle set --repair-share 0.9").assertFailed(2, "the shares are too much together");
    assertEquals(1, cluster.connections.size());
  }
}
