package org.braid.sim.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.braid.placement.Topology;
import org.braid.sim.load.Outages.Outage;
import org.braid.sim.load.Outages.Rates;
import org.braid.sim.time.Streams;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class OutagesTest {
  private final Topology topology = Topology.of(4, 5);

  @Test
  void readsATrace() {
    assertEquals(
        List.of(
            new Outage(1_500_000_000L, List.of(0), 2_000_000_000L),
            new Outage(1_500_000_000L, List.of(5, 6, 7, 8, 9, 3), Outages.NEVER)),
        Outages.parse(List.of("# a comment", "1.5 2 r0n0", "", "1.5 - r1 r0n3"), topology));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "x 2 r0n0; line 2 of the trace, \"x 2 r0n0\": needed are its beginning and end in seconds",
        "5 6; line 2 of the trace, \"5 6\": needed are",
        "5 4 r0n0; line 2 of the trace, \"5 4 r0n0\": it ends before it begins",
        "0.5 4 r0n0; line 2 of the trace, \"0.5 4 r0n0\": earlier than the line before",
        "5 6 r9; there is no node or rack r9 among 20 nodes in 4 racks, r0n0 to r3n4",
      })
  void namesTheLineThatIsWrong(String line, String message) {
    String refused =
        assertThrows(
                IllegalArgumentException.class,
                () -> Outages.parse(List.of("1 2 r0n1", line), topology))
            .getMessage();
    assertTrue(refused.contains(message), refused);
  }

  /** As many as the rates say, within five standard errors, whatever the shape. */
  @ParameterizedTest
  @ValueSource(doubles = {0.7, 1, 1.4})
  void drawsAsManyAsTheRatesSay(double shape) {
    Topology large = Topology.of(100, 20);
    var rates = new Rates(1000, shape, 0.75, 1e-3, 0);
    List<Outage> outages = Outages.draw(large, rates, 20_000, new Streams(3).of("outages"));
    double expected = 2000 * 20.0;
    // A renewal process starts anew at 0, which adds (cv^2 - 1) / 2 a node; five errors more.
    assertEquals(expected, outages.size(), 2000 * 0.6 + 5 * 1.5 * Math.sqrt(expected));
    long back = outages.stream().filter(o -> o.backAt() != Outages.NEVER).count();
    assertEquals(0.75, (double) back / outages.size(), 0.02);
    long last = 0;
    for (Outage outage : outages) {
      assertTrue(outage.at() >= last);
      last = outage.at();
    }
  }

  @Test
  void racksGoDownAsAWhole() {
    var rates = new Rates(1e12, 1, 0, 60, 1000);
    List<Outage> outages = Outages.draw(topology, rates, 10_000, new Streams(3).of("outages"));
    assertTrue(outages.size() > 10);
    outages.forEach(outage -> assertEquals(5, outage.nodes().size()));
  }
}
