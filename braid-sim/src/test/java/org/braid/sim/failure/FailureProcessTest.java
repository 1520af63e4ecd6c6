package org.braid.sim.failure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.braid.placement.Topology;
import org.braid.sim.failure.FailureTrace.Event;
import org.braid.sim.time.RandomStreams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FailureProcessTest {
  private final Topology topology = Topology.of(4, 5);

  @Test
  void domainsHaveTheirNodes() {
    assertEquals(List.of(7), FailureDomain.NODE.nodes(topology, 7));
    assertEquals(List.of(5, 6, 7, 8, 9), FailureDomain.RACK.nodes(topology, 1));
    assertEquals(IntStream.range(0, 20).boxed().toList(), FailureDomain.SITE.nodes(topology, 0));
    for (FailureDomain domain : FailureDomain.values()) {
      assertEquals(domain.nodes(topology, 0).size(), domain.size(topology, 0));
    }
    Topology sites = Topology.parse("2x3x4");
    assertEquals(12, FailureDomain.SITE.size(sites, 1));
    assertEquals(IntStream.range(12, 24).boxed().toList(), FailureDomain.SITE.nodes(sites, 1));
  }

  /** As many as the rates say, within five standard errors, whatever the shape. */
  @ParameterizedTest
  @ValueSource(doubles = {0.7, 1, 1.4})
  void drawsAsManyAsTheRatesSay(double shape) {
    Topology large = Topology.of(100, 20);
    var process = new FailureProcess(new Lifetime(1000, shape), 0.75, 1e-3, Lifetime.ENDLESS);
    List<Event> events = process.draw(large, 20_000, new RandomStreams(3).of("outages")).events();
    double expected = 2000 * 20.0;
    // A renewal process starts anew at 0, which adds (cv^2 - 1) / 2 a node; five errors more.
    assertEquals(expected, events.size(), 2000 * 0.6 + 5 * 1.5 * Math.sqrt(expected));
    long back = events.stream().filter(event -> !event.lost()).count();
    assertEquals(0.75, (double) back / events.size(), 0.02);
    double last = 0;
    for (Event event : events) {
      assertTrue(event.at() >= last);
      assertEquals(event.lost(), Double.isInfinite(event.until()));
      last = event.at();
    }
  }

  @Test
  void racksComeBack() {
    var process = new FailureProcess(Lifetime.ENDLESS, 0, 60, Lifetime.exponential(1000));
    List<Event> events =
        process.draw(topology, 10_000, new RandomStreams(3).of("outages")).events();
    assertTrue(events.size() > 10);
    for (Event event : events) {
      assertEquals(FailureDomain.RACK, event.domain());
      assertTrue(event.until() > event.at() && !event.lost());
    }
  }

  @Test
  void refusesWhatIsNoShareAndWhatEndsBeforeItBegins() {
    IllegalArgumentException share =
        assertThrows(
            IllegalArgumentException.class,
            () -> new FailureProcess(Lifetime.ENDLESS, 1.5, 60, Lifetime.ENDLESS));
    assertTrue(String.valueOf(share.getMessage()).contains("1.5"), share.getMessage());
    IllegalArgumentException order =
        assertThrows(
            IllegalArgumentException.class, () -> new Event(5, FailureDomain.NODE, 3, 4, false));
    assertEquals("node 3 fails at 5.0 s and is back at 4.0 s", order.getMessage());
  }
}
