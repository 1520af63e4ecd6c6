package org.braid.sim.failure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.braid.placement.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FailureTraceTest {
  private static final Topology TOPOLOGY = Topology.of(3, 2);

  @Test
  void readsEventsAndWhenTheyEnd() {
    FailureTrace trace =
        FailureTrace.parse(
            "t",
            List.of(
                "# a comment",
                "1.5 down node r0n1",
                "",
                "2,down,rack,r2 # another",
                "3 up node r0n1",
                "3 fail node r1n0",
                "4 fail site site"),
            TOPOLOGY);
    assertEquals(4, trace.events().size());
    assertEquals(
        new FailureTrace.Event(5400, FailureDomain.NODE, 1, 10_800, false), trace.events().get(0));
    assertEquals(Double.POSITIVE_INFINITY, trace.events().get(1).until());
    assertTrue(trace.events().get(2).lost());
    assertEquals(FailureDomain.SITE, trace.events().get(3).domain());
  }

  @Test
  void aFailureEndsAnOutage() {
    FailureTrace trace =
        FailureTrace.parse(
            "t",
            List.of("1 down node r0n1", "2 fail node r0n1", "3 down node r0n1", "4 up node r0n1"),
            TOPOLOGY);
    assertEquals(
        List.of(7200.0, Double.POSITIVE_INFINITY, 14_400.0),
        trace.events().stream().map(FailureTrace.Event::until).toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1 down node            | has 3 fields
          x down node r0n0       | "x" is not a time
          -1 down node r0n0      | "-1" is not a time
          1 dies node r0n0       | "dies" is none of
          1 down disk r0n0       | "disk" is none of
          1 down node r9n0       | no node "r9n0"
          1 down rack r7         | no rack "r7"
          1 up node r0n0         | it is not down
          0.5 down node r0n0     | at hour 0.5, the line before at 1: sort
          1 down node r0n1       | it is down since line 1
          """)
  void namesTheLine(String line, String reason) {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                FailureTrace.parse(
                    "bad.trace", List.of("1 down node r0n1", "# x", line), TOPOLOGY));
    String message = String.valueOf(e.getMessage());
    assertTrue(message.startsWith("bad.trace line 3: "), message);
    assertTrue(message.contains(reason.strip()), message);
  }
}
