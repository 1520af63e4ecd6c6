package org.braid.sim.load;

import java.util.random.RandomGenerator;
import org.braid.sim.time.Simulation;
import org.braid.sim.time.Streams;

/** Requests that arrive as a Poisson process, until they are stopped. */
public final class Arrivals {
  private final Simulation simulation;
  private final double rate;
  private final RandomGenerator random;
  private final Runnable request;
  private boolean stopped;

  /**
   * Requests from now on.
   *
   * @param rate requests a second, 0 for none
   * @param request what happens at each arrival
   */
  public Arrivals(Simulation simulation, double rate, RandomGenerator random, Runnable request) {
    if (!(rate >= 0) || Double.isInfinite(rate)) {
      throw new IllegalArgumentException(
          "%s requests a second, needed is 0 or more".formatted(rate));
    }
    this.simulation = simulation;
    this.rate = rate;
    this.random = random;
    this.request = request;
    next();
  }

  private void next() {
    if (rate > 0) {
      simulation.after(Simulation.nanos(Streams.exponential(1 / rate, random)), this::arrive);
    }
  }

  private void arrive() {
    if (!stopped) {
      next();
      request.run();
    }
  }

  /** Lets no more requests arrive. */
  public void stop() {
    stopped = true;
  }
}
