package org.braid.sim.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.braid.placement.Topology;
import org.braid.sim.failure.Lifetime;
import org.braid.sim.failure.Trace;
import org.braid.sim.load.Outages.Outage;
import org.braid.sim.load.Outages.Rates;
import org.braid.sim.time.Streams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class OutagesTest {
  private static final long HOUR = 3_600_000_000_000L;

  private final Topology topology = Topology.of(4, 5);

  @Test
  void takesThemFromATrace() {
    Trace trace =
        Trace.parse(
            "t",
            List.of(
                "1 down node r0n0",
                "1.5 fail rack r1",
                "2 up node r0n0",
                "3 down node r3n4",
                "4 down site site"),
            topology);
    List<Outage> outages = Outages.of(trace, topology);
    assertEquals(new Outage(HOUR, List.of(0), 2 * HOUR), outages.get(0));
    assertEquals(
        new Outage(HOUR + HOUR / 2, List.of(5, 6, 7, 8, 9), Outages.EMPTY), outages.get(1));
    assertTrue(outages.get(1).isLoss());
    assertEquals(new Outage(3 * HOUR, List.of(19), Outages.NEVER), outages.get(2));
    assertEquals(20, outages.get(3).nodes().size());
  }

  /** As many as the rates say, within five standard errors, whatever the shape. */
  @ParameterizedTest
  @ValueSource(doubles = {0.7, 1, 1.4})
  void drawsAsManyAsTheRatesSay(double shape) {
    Topology large = Topology.of(100, 20);
    var rates = new Rates(new Lifetime(1000, shape), 0.75, 1e-3, Lifetime.ENDLESS);
    List<Outage> outages = Outages.draw(large, rates, 20_000, new Streams(3).of("outages"));
    double expected = 2000 * 20.0;
    // A renewal process starts anew at 0, which adds (cv^2 - 1) / 2 a node; five errors more.
    assertEquals(expected, outages.size(), 2000 * 0.6 + 5 * 1.5 * Math.sqrt(expected));
    long back = outages.stream().filter(o -> !o.isLoss()).count();
    assertEquals(0.75, (double) back / outages.size(), 0.02);
    long last = 0;
    for (Outage outage : outages) {
      assertTrue(outage.at() >= last);
      last = outage.at();
    }
  }

  @Test
  void racksGoDownAsAWhole() {
    var rates = new Rates(Lifetime.ENDLESS, 0, 60, Lifetime.exponential(1000));
    List<Outage> outages = Outages.draw(topology, rates, 10_000, new Streams(3).of("outages"));
    assertTrue(outages.size() > 10);
    outages.forEach(outage -> assertEquals(5, outage.nodes().size()));
  }
}
