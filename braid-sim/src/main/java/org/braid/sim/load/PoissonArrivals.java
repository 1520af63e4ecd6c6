package org.braid.sim.load;

import java.util.random.RandomGenerator;
import org.braid.sim.time.RandomStreams;
import org.braid.sim.time.Simulation;

/** Requests that arrive as a Poisson process until they are stopped. */
public final class PoissonArrivals {
  private final Simulation simulation;
  private final double rate;
  private final RandomGenerator random;
  private final Runnable request;
  private boolean stopped;

  /**
   * Arrivals from now on.
   *
   * @param rate requests a second, 0 for none
   * @param request runs at each arrival
   */
  public PoissonArrivals(
      Simulation simulation, double rate, RandomGenerator random, Runnable request) {
    if (!(rate >= 0) || Double.isInfinite(rate)) {
      throw new IllegalArgumentException(
          "%s requests a second: must be at least 0".formatted(rate));
    }
    this.simulation = simulation;
    this.rate = rate;
    this.random = random;
    this.request = request;
    next();
  }

  private void next() {
    if (rate > 0) {
      simulation.after(Simulation.nanos(RandomStreams.exponential(1 / rate, random)), this::arrive);
    }
  }

  private void arrive() {
    if (!stopped) {
      next();
      request.run();
    }
  }

  /** Stops arrivals. */
  public void stop() {
    stopped = true;
  }
}
