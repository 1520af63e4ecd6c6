package org.braid.experiment.judge;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.braid.experiment.Claim;
import org.braid.experiment.ComparedSystem;
import org.braid.experiment.Experiment;
import org.braid.experiment.Measure;
import org.braid.experiment.Quantity;
import org.braid.experiment.Quantity.Form;
import org.braid.experiment.Spread;
import org.braid.experiment.text.Numbers;

/**
 * How figures of an experiment are written.
 *
 * @param measures of its workload
 */
public record FigureText(Experiment experiment, List<Measure> measures) {
  public FigureText {
    measures = List.copyOf(measures);
  }

  /** The unit of a measure; none when the workload does not know it any more. */
  public String unit(String measure) {
    return measures.stream()
        .filter(m -> m.name().equals(measure))
        .map(Measure::unit)
        .findFirst()
        .orElse("");
  }

  /** A figure of a quantity, with its unit. */
  public String figure(Quantity quantity, double value) {
    return switch (quantity.form()) {
      case VALUE -> Numbers.of(value, unit(quantity.measure()));
      case RATIO -> Numbers.plain(value) + "x";
      case GAIN, REDUCTION -> Numbers.percent(value);
    };
  }

  /** The median and, where they differ, the smallest and the largest figure. */
  public String spread(Quantity quantity, Spread spread) {
    String median = figure(quantity, spread.median());
    String low = figure(quantity, spread.low());
    String high = figure(quantity, spread.high());
    return low.equals(median) && high.equals(median)
        ? median
        : "%s (%s to %s)".formatted(median, low, high);
  }

  /** Our figure for a claim; {@code -} for none. */
  public String ours(Verdict verdict) {
    if (verdict.ours().isEmpty()) {
      return "-";
    }
    double ours = verdict.ours().getAsDouble();
    if (verdict.claim().bound() instanceof Claim.Trend trend) {
      boolean points = verdict.claim().quantity().form().isShare();
      String change = points ? Numbers.plain(100 * ours) + " points" : Numbers.percent(ours);
      return trend.direction() == Claim.Direction.FLAT
          ? "at most " + change + " off its mean"
          : (ours > 0 ? "+" : "") + change + " from first to last";
    }
    return verdict
        .spread()
        .map(spread -> spread(verdict.claim().quantity(), spread))
        .orElseGet(() -> figure(verdict.claim().quantity(), ours));
  }

  /**
   * The paper's figure for a claim, or another experiment's with its origin; {@code -} where there
   * is none.
   */
  public String paper(Claim claim) {
    if (claim.paper().isEmpty()) {
      return "-";
    }
    String figure = figure(claim.quantity(), claim.paper().getAsDouble());
    return claim.reference().map(r -> "%s (%s)".formatted(figure, r.origin())).orElse(figure);
  }

  /** Whether a claim held. */
  public static String held(Verdict verdict) {
    return switch (verdict.held()) {
      case HELD -> "held";
      case NOT_HELD -> "NOT held";
      case NOT_RUN -> "not run";
    };
  }

  /** What a quantity is, for example {@code seconds, reduction against star}. */
  public String name(Quantity quantity) {
    if (quantity.form() == Form.VALUE) {
      String unit = unit(quantity.measure());
      return quantity.measure() + (unit.isEmpty() ? "" : " (" + unit + ")");
    }
    Quantity.Against against = quantity.against();
    String other =
        List.of(label(against.system()), point(against.at()), against.measure()).stream()
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining(" "));
    return "%s, %s against %s".formatted(quantity.measure(), quantity.form().text(), other);
  }

  /** How charts call a system. */
  public String label(String system) {
    return experiment.systems().stream()
        .filter(s -> s.name().equals(system))
        .map(ComparedSystem::label)
        .findFirst()
        .orElse(system);
  }

  /** A point, for example {@code code=rs-6-3 rate=1gbit}. */
  public static String point(Map<String, String> point) {
    return point.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining(" "));
  }
}
