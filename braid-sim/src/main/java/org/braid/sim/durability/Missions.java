package org.braid.sim.durability;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.braid.sim.durability.StripeState.Event;

/**
 * A Monte-Carlo of one stripe's life that sees losses however rare they are.
 *
 * <p>A mission follows a stripe for some years as it would go. Whenever it stops being whole, a
 * copy of it goes on in a forced course until it is whole again or data is lost, with the weight
 * that makes up for the force. The weights of the copies that lost data add up, on average, to the
 * number of losses of the stripe in the mission: each loss belongs to one departure from being
 * whole, and given the moment of departure a copy's weight averages the probability of a loss. What
 * starts departures rarely (racks, sites, bursts) is not waited for: at a random moment of the
 * mission such a start is made, with its rate times the mission's length as weight.
 *
 * <p>A stripe that lost data is replaced by a whole one. As every stripe of a cluster has the same
 * distribution, sums over all of them follow, whether or not stripes fail together.
 */
public final class Missions {
  /** Missions of a batch; results are the same however batches are spread. */
  private static final int BATCH = 64;

  /** A departure goes on so long at most, in events. */
  private static final int MOST_EVENTS = 100_000;

  /** So often a loss is forced without coming. */
  private static final int QUIET = 3;

  private static final double FORCE = 0.75;

  private final StripeModel model;
  private final Hazards hazards;
  private final double seconds;

  /**
   * Missions of a stripe.
   *
   * @param seconds of a mission
   */
  public Missions(StripeModel model, double seconds) {
    Times.requirePositive("missions", seconds);
    this.model = model;
    this.hazards = new Hazards(model);
    this.seconds = seconds;
  }

  /**
   * How much to run.
   *
   * @param missions at most
   * @param precision it ends when half of the interval is no more than this part of the mean
   * @param departures it ends after so many, too
   */
  public record Effort(int missions, double precision, long departures) {
    public Effort {
      if (missions < 2 || !(precision >= 0) || departures < 1) {
        throw new IllegalArgumentException(
            "%d missions, precision %s, %d departures: needed are 2, 0 and 1 or more"
                .formatted(missions, precision, departures));
      }
    }
  }

  /**
   * What was seen.
   *
   * @param losses of a stripe in a second
   * @param lostBlocks data blocks of a stripe in a second
   * @param departures how often a stripe stopped being whole, all missions together
   * @param seen forced courses that lost data
   * @param natural losses that came unforced
   */
  public record Result(
      Estimate losses, Estimate lostBlocks, long departures, long seen, long natural) {}

  /**
   * Runs missions.
   *
   * @param seed of everything random; mission i of it is always the same
   * @param spread how batches are run: as they are, or in parallel
   */
  public Result run(Effort effort, long seed, UnaryOperator<IntStream> spread) {
    Sums sums = new Sums();
    int round = 4;
    int done = 0;
    while (done < effort.missions() && sums.departures < effort.departures()) {
      int from = done / BATCH;
      List<Sums> batches =
          spread.apply(IntStream.range(from, from + round)).mapToObj(b -> batch(b, seed)).toList();
      // In order, so that rounding is the same.
      batches.forEach(sums::add);
      done += round * BATCH;
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

  private Sums batch(int batch, long seed) {
    Sums sums = new Sums();
    for (int i = 0; i < BATCH; i++) {
      long mission = (long) batch * BATCH + i;
      RandomGenerator random =
          RandomGeneratorFactory.of("L64X128MixRandom")
              .create(seed * 0x9E3779B97F4A7C15L ^ mission * 0xD1342543DE82EF95L);
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

    Estimate estimate(double sum, double squares) {
      double mean = sum / missions;
      double variance = Math.max(0, squares / missions - mean * mean);
      return new Estimate(mean, Math.sqrt(variance / Math.max(1, missions - 1)), missions);
    }
  }

  /** One mission. */
  private final class Mission {
    private final RandomGenerator random;
    private final StripeState stripe;
    private double losses;
    private double data;
    private long departures;
    private long seen;
    private long natural;

    Mission(RandomGenerator random) {
      this.random = random;
      this.stripe = StripeState.fresh(model, hazards, random);
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

    /** Makes a rare start now, if the stripe is whole. */
    private void start(Event kind) {
      if (!stripe.isWhole()) {
        return;
      }
      StripeState other = stripe.copy();
      double rate = other.strike(kind, random);
      if (rate > 0) {
        departures++;
        follow(other, rate * seconds);
      }
    }

    private void follow(StripeState other, double worth) {
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
