package org.braid.sim.durability;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.sim.durability.StripeTrajectory.Event;
import org.braid.sim.time.RandomStreams;

/**
 * A Monte-Carlo simulation of one stripe that meets data losses however rare they are.
 *
 * <p>A mission follows the natural course of a stripe for some years. Whenever the stripe stops
 * being whole (a departure), a copy takes a course in which further losses are forced, until it is
 * whole again or loses data; the copy's weight makes up for the force. The weights of the copies
 * that lose data add up, on average, to the number of losses of the stripe in the mission: each
 * loss belongs to one departure, and the mean weight of its copies is the probability that it ends
 * in a loss. Rare causes of departures (racks, sites, bursts) are started at a random moment of the
 * mission, with their rate times the length of the mission as weight.
 *
 * <p>A stripe that lost data is replaced by a whole one. All stripes of a cluster have the same
 * distribution, so that means over the cluster follow whether or not stripes fail together.
 */
public final class ImportanceSampling {
  /** Missions of a batch; the result does not depend on how batches are spread. */
  private static final int BATCH = 64;

  /** Events of a forced course at most. */
  private static final int MOST_EVENTS = 100_000;

  /** After so many repairs in a row without a loss, losses are no longer forced. */
  private static final int QUIET = 3;

  /** The least probability of a forced loss. */
  private static final double FORCE = 0.75;

  private final StripeModel model;
  private final HazardRates hazards;
  private final double seconds;

  /**
   * Sampling of a model.
   *
   * @param seconds length of a mission
   */
  public ImportanceSampling(StripeModel model, double seconds) {
    NumberChecks.requirePositive("missions", seconds);
    this.model = model;
    this.hazards = new HazardRates(model);
    this.seconds = seconds;
  }

  /**
   * When sampling ends.
   *
   * @param missions after this number of missions
   * @param precision when half the width of the 95 % interval is at most this part of the mean
   * @param departures after this number of departures
   */
  public record Effort(int missions, double precision, long departures) {
    public Effort {
      if (missions < 2 || !(precision >= 0) || departures < 1) {
        throw new IllegalArgumentException(
            "%d missions, precision %s, %d departures: must be at least 2, 0 and 1"
                .formatted(missions, precision, departures));
      }
    }
  }

  /**
   * Estimated rates of one stripe.
   *
   * @param losses data losses a second
   * @param lostBlocks lost data blocks a second
   * @param departures number of departures in all missions
   * @param seen number of forced courses that lost data
   * @param natural number of losses in natural courses
   */
  public record Result(
      MeanEstimate losses, MeanEstimate lostBlocks, long departures, long seen, long natural) {}

  /**
   * Runs missions.
   *
   * @param seed of all random numbers; mission i of a seed is always the same
   * @param spread runs batches: the identity, or parallel
   */
  public Result run(Effort effort, long seed, UnaryOperator<IntStream> spread) {
    Sums sums = new Sums();
    int round = 4;
    int done = 0;
    while (done < effort.missions() && sums.departures < effort.departures()) {
      int from = done / BATCH;
      int end = (int) Math.min(effort.missions(), done + (long) round * BATCH);
      int to = (int) (((long) end + BATCH - 1) / BATCH);
      List<Sums> batches =
          spread.apply(IntStream.range(from, to)).mapToObj(b -> batch(b, end, seed)).toList();
      // In order, so that rounding does not depend on the spread.
      batches.forEach(sums::add);
      done = end;
      round = Math.min(2 * round, 64);
      if (sums.estimate(sums.loss, sums.lossSquares).precision() <= effort.precision()) {
        break;
      }
    }
    return new Result(
        sums.estimate(sums.loss, sums.lossSquares).times(1 / seconds),
        sums.estimate(sums.data, sums.dataSquares).times(1 / seconds),
        sums.departures,
        sums.seen,
        sums.natural);
  }

  /** Runs the missions of a batch whose numbers are below an end. */
  private Sums batch(int batch, int end, long seed) {
    Sums sums = new Sums();
    long first = (long) batch * BATCH;
    for (long mission = first; mission < Math.min(end, first + BATCH); mission++) {
      RandomGenerator random =
          RandomStreams.single(seed * 0x9E3779B97F4A7C15L ^ mission * 0xD1342543DE82EF95L);
      sums.add(new Mission(random).run());
    }
    return sums;
  }

  /** Adds up missions. */
  private static final class Sums {
    private long missions;
    private double loss;
    private double lossSquares;
    private double data;
    private double dataSquares;
    private long departures;
    private long seen;
    private long natural;

    void add(Mission mission) {
      missions++;
      loss += mission.losses;
      lossSquares += mission.losses * mission.losses;
      data += mission.data;
      dataSquares += mission.data * mission.data;
      departures += mission.departures;
      seen += mission.seen;
      natural += mission.natural;
    }

    void add(Sums other) {
      missions += other.missions;
      loss += other.loss;
      lossSquares += other.lossSquares;
      data += other.data;
      dataSquares += other.dataSquares;
      departures += other.departures;
      seen += other.seen;
      natural += other.natural;
    }

    MeanEstimate estimate(double sum, double squares) {
      double mean = sum / missions;
      double variance = Math.max(0, squares / missions - mean * mean);
      return new MeanEstimate(mean, Math.sqrt(variance / Math.max(1, missions - 1)), missions);
    }
  }

  /** One mission. */
  private final class Mission {
    private final RandomGenerator random;
    private final StripeTrajectory stripe;
    private double losses;
    private double data;
    private long departures;
    private long seen;
    private long natural;

    Mission(RandomGenerator random) {
      this.random = random;
      this.stripe = StripeTrajectory.fresh(model, hazards, random);
    }

    Mission run() {
      List<Event> rare = new ArrayList<>();
      for (Event kind : Event.values()) {
        if (kind.isRare() && stripe.rate(kind) > 0) {
          rare.add(kind);
        }
      }
      double start = random.nextDouble() * seconds;
      if (!rare.isEmpty()) {
        live(start);
        rare.forEach(this::start);
      }
      live(seconds);
      return this;
    }

    private void live(double until) {
      while (stripe.now() < until) {
        boolean whole = stripe.isWhole();
        Event event = stripe.advance(until, 0, random);
        if (whole && !event.isRare() && !stripe.isWhole()) {
          departures++;
          follow(stripe.copy(), 1);
        }
        if (stripe.isDead()) {
          natural++;
          stripe.renew(random);
        }
      }
    }

    /** Starts a departure by a rare cause now, if the stripe is whole. */
    private void start(Event kind) {
      if (!stripe.isWhole()) {
        return;
      }
      StripeTrajectory other = stripe.copy();
      double rate = other.strike(kind, random);
      if (rate > 0) {
        departures++;
        follow(other, rate * seconds);
      }
    }

    private void follow(StripeTrajectory other, double worth) {
      int quiet = 0;
      for (int i = 0; i < MOST_EVENTS && !other.isDead() && !other.isWhole(); i++) {
        double before = other.weight();
        Event event = other.advance(Double.POSITIVE_INFINITY, quiet < QUIET ? FORCE : 0, random);
        if (event == Event.LIMIT || before == 0) {
          return;
        }
        if (event == Event.REPAIRED || event == Event.TRACED) {
          quiet++;
        } else if (event != Event.OUTAGE && event != Event.BACK) {
          quiet = 0;
        }
      }
      if (other.isDead()) {
        seen++;
        losses += worth * other.weight();
        data += worth * other.weight() * other.lostData();
      }
    }
  }
}
