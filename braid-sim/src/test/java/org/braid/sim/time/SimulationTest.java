package org.braid.sim.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

final class SimulationTest {
  @Test
  void whatIsAskedForHappensInTheOrderOfTimeThenOfAsking() {
    Random random = Seeds.random(getClass());
    record Planned(long at, int number) {}
    Simulation simulation = new Simulation();
    List<Planned> expected = new ArrayList<>();
    List<Planned> seen = new ArrayList<>();
    List<Simulation.Event> toCancel = new ArrayList<>();
    for (int i = 0; i < 5000; i++) {
      Planned planned = new Planned(random.nextInt(500), i);
      Simulation.Event event = simulation.at(planned.at(), () -> seen.add(planned));
      assertEquals(planned.at(), event.at());
      if (random.nextInt(3) == 0) {
        toCancel.add(event);
      } else {
        expected.add(planned);
      }
    }
    toCancel.forEach(simulation::cancel);
    toCancel.forEach(simulation::cancel); // again changes nothing
    expected.sort(Comparator.comparingLong(Planned::at).thenComparingInt(Planned::number));
    simulation.run();
    assertEquals(expected, seen);
    assertEquals(expected.size(), simulation.happened());
  }

  /** Moving is calling off and asking anew, while time passes, too. */
  @Test
  void whatIsMovedHappensAsIfItWereAskedForAnew() {
    long seed = Seeds.random(getClass()).nextLong();
    assertEquals(order(seed, false), order(seed, true));
  }

  private static List<Long> order(long seed, boolean moves) {
    Random random = new Random(seed);
    Simulation simulation = new Simulation();
    List<Long> seen = new ArrayList<>();
    Simulation.Event[] events = new Simulation.Event[400];
    for (int i = 0; i < 6000; i++) {
      int number = random.nextInt(events.length);
      int later = random.nextInt(90);
      Simulation.Event event = events[number];
      if (moves && event != null) {
        simulation.move(event, later);
      } else {
        simulation.cancel(event);
        events[number] =
            simulation.after(
                later,
                () -> {
                  seen.add(simulation.now() * events.length + number);
                  events[number] = null;
                });
      }
      if (random.nextInt(4) == 0) {
        simulation.step();
      }
    }
    simulation.run();
    return seen;
  }

  @Test
  void whatHappenedCannotBeMoved() {
    Simulation simulation = new Simulation();
    Simulation.Event event = simulation.after(5, () -> {});
    simulation.run();
    assertEquals(
        "the event of 5 ns is gone",
        assertThrows(IllegalArgumentException.class, () -> simulation.move(event, 1)).getMessage());
  }

  @Test
  void eventsMayAskForEvents() {
    Simulation simulation = new Simulation();
    List<Long> times = new ArrayList<>();
    simulation.after(
        5,
        () -> {
          times.add(simulation.now());
          simulation.after(7, () -> times.add(simulation.now()));
          simulation.after(0, () -> times.add(simulation.now()));
        });
    simulation.runUntil(10);
    assertEquals(List.of(5L, 5L), times);
    assertEquals(10, simulation.now());
    assertEquals(1, simulation.pending());
    simulation.run();
    assertEquals(List.of(5L, 5L, 12L), times);
    assertFalse(simulation.step());
  }

  @Test
  void timeHasNoWayBackAndAnEnd() {
    Simulation simulation = new Simulation();
    simulation.runUntil(3);
    assertEquals(
        "an event at 2 ns, before the current time of 3 ns",
        assertThrows(IllegalArgumentException.class, () -> simulation.at(2, () -> {}))
            .getMessage());
    assertEquals(
        "-1.0 seconds of virtual time: must be 0 to 9.2e9",
        assertThrows(IllegalArgumentException.class, () -> Simulation.nanos(-1)).getMessage());
    assertThrows(IllegalArgumentException.class, () -> Simulation.nanos(1e10));
    assertEquals(2, Simulation.nanos(1.1e-9));
  }

  /** The mean within five standard errors. */
  @Test
  void drawsHaveTheirMean() {
    RandomGenerator random = new RandomStreams(Seeds.random(getClass()).nextLong()).of("draws");
    int draws = 40_000;
    double sum = 0;
    for (int i = 0; i < draws; i++) {
      sum += RandomStreams.exponential(3, random);
    }
    assertEquals(3, sum / draws, 5 * 3 / Math.sqrt(draws));
  }

  @Test
  void streamsAreTheSameForASeedAndDifferForPurposes() {
    assertEquals(new RandomStreams(1).of("a").nextLong(), new RandomStreams(1).of("a").nextLong());
    assertFalse(new RandomStreams(1).of("a").nextLong() == new RandomStreams(1).of("b").nextLong());
    assertFalse(new RandomStreams(1).of("a").nextLong() == new RandomStreams(2).of("a").nextLong());
  }
}
