package org.braid.experiment.judge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.braid.experiment.Axis;
import org.braid.experiment.Claim;
import org.braid.experiment.Claim.Between;
import org.braid.experiment.Claim.Trend;
import org.braid.experiment.Claim.Unknown;
import org.braid.experiment.Experiment;
import org.braid.experiment.Spread;

/**
 * Whether a claim holds: its median meets the bound, and for a claim of exactly 0 each run does.
 *
 * @param ours the median; for a trend, the difference of the last figure from the first, and for a
 *     flat one the largest distance from the mean (both as shares; for gains and reductions, in
 *     points); empty when it was not measured
 * @param spread the spread of the figure over the repetitions; empty for trends
 * @param note why it was not run or is doubtful; may be empty
 */
public record Verdict(
    Claim claim, OptionalDouble ours, Optional<Spread> spread, Held held, String note) {
  /** How a claim ended. */
  public enum Held {
    HELD,
    NOT_HELD,
    /** The run lacks the quantity of the claim, or the other side was not measured. */
    NOT_RUN
  }

  /** Judges all claims of an experiment. */
  public static List<Verdict> of(Experiment experiment, Analysis analysis) {
    return experiment.claims().stream().map(claim -> of(claim, experiment, analysis)).toList();
  }

  private static Verdict of(Claim claim, Experiment experiment, Analysis analysis) {
    if (claim.bound() instanceof Trend trend) {
      return trend(claim, trend, experiment, analysis);
    }
    Optional<Spread> spread = analysis.spread(claim.quantity(), claim.system(), claim.at());
    if (spread.isEmpty()) {
      return new Verdict(claim, OptionalDouble.empty(), spread, Held.NOT_RUN, "not in this run");
    }
    double ours = spread.get().median();
    if (claim.bound() instanceof Unknown unknown) {
      return new Verdict(claim, OptionalDouble.of(ours), spread, Held.NOT_RUN, unknown.reason());
    }
    Between between = (Between) claim.bound();
    List<String> notes = new ArrayList<>();
    boolean held = ours >= between.least() && ours <= between.most();
    if (held && isNever(between) && (spread.get().low() != 0 || spread.get().high() != 0)) {
      // What must not happen has happened: the median would pass over it.
      held = false;
      notes.add("not 0 in each run");
    }
    if (analysis.isDoubtful(claim.quantity(), claim.system(), claim.at())) {
      notes.add("rests on doubtful trials");
    }
    return new Verdict(
        claim,
        OptionalDouble.of(ours),
        spread,
        held ? Held.HELD : Held.NOT_HELD,
        String.join("; ", notes));
  }

  private static boolean isNever(Between between) {
    return between.least() == 0 && between.most() == 0;
  }

  private static Verdict trend(Claim claim, Trend trend, Experiment experiment, Analysis analysis) {
    List<Double> series = new ArrayList<>();
    boolean doubtful = false;
    Axis axis =
        experiment.axes().stream()
            .filter(a -> a.name().equals(trend.axis()))
            .findFirst()
            .orElseThrow();
    for (String value : axis.values()) {
      Map<String, String> point = new HashMap<>(claim.at());
      point.put(axis.name(), value);
      Optional<Spread> spread = analysis.spread(claim.quantity(), claim.system(), point);
      if (spread.isEmpty()) {
        return new Verdict(
            claim,
            OptionalDouble.empty(),
            spread,
            Held.NOT_RUN,
            "no figure at %s=%s".formatted(axis.name(), value));
      }
      series.add(spread.get().median());
      doubtful |= analysis.isDoubtful(claim.quantity(), claim.system(), point);
    }
    if (series.size() < 2) {
      return new Verdict(
          claim, OptionalDouble.empty(), Optional.empty(), Held.NOT_RUN, "one point is no trend");
    }
    Course course = new Course(series, claim.quantity().form().isShare());
    return new Verdict(
        claim,
        OptionalDouble.of(course.figure(trend.direction())),
        Optional.empty(),
        course.follows(trend) ? Held.HELD : Held.NOT_HELD,
        doubtful ? "rests on doubtful trials" : "");
  }

  /**
   * Figures along an axis.
   *
   * @param points whether differences are stated in points and not as shares
   */
  private record Course(List<Double> series, boolean points) {
    private double change(double from, double to) {
      return points || from == to ? to - from : to / from - 1;
    }

    private double mean() {
      return series.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }

    double figure(Claim.Direction direction) {
      return direction == Claim.Direction.FLAT
          ? series.stream().mapToDouble(v -> Math.abs(change(mean(), v))).max().orElseThrow()
          : change(series.get(0), series.get(series.size() - 1));
    }

    boolean follows(Trend trend) {
      if (trend.direction() == Claim.Direction.FLAT) {
        return figure(trend.direction()) <= trend.tolerance();
      }
      int sign = trend.direction() == Claim.Direction.RISES ? 1 : -1;
      for (int i = 1; i < series.size(); i++) {
        if (sign * change(series.get(i - 1), series.get(i)) < -trend.tolerance()) {
          return false;
        }
      }
      // Steps may go astray, the whole may not.
      return sign * figure(trend.direction()) > 0;
    }
  }
}
