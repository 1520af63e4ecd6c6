package org.braid.experiment.file;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.braid.experiment.Axis;
import org.braid.experiment.Claim.Between;
import org.braid.experiment.Claim.Bound;
import org.braid.experiment.Claim.Direction;
import org.braid.experiment.Claim.Trend;
import org.braid.experiment.Claim.Unknown;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Quantity;
import org.braid.experiment.Quantity.Form;
import org.braid.experiment.Reference;
import org.braid.experiment.text.Numbers;

/**
 * Reads the goals of claims, for example {@code >= 0.59}, and puts them into words.
 *
 * @param names the names that it may use
 * @param quantity that it is about
 * @param paper the paper's figure, or the measured one that takes its place
 * @param reference where the measured one comes from
 * @param path of the goal
 */
record GoalReader(
    KnownNames names,
    Quantity quantity,
    OptionalDouble paper,
    Optional<Reference> reference,
    YamlPath path) {
  static final String EXAMPLE = "goal: \">= 0.59\"";

  private static final String NUMBER = "(-?[0-9]{1,12}(?:\\.[0-9]{1,12})?%?)";
  private static final String SHARE = "([0-9]{1,3}(?:\\.[0-9]{1,3})?)";
  private static final String TOLERANCE = SHARE + "(%|\\s+points?)";
  private static final Pattern PLAIN = Pattern.compile(NUMBER);
  private static final Pattern LIMIT = Pattern.compile("(>=|<=|>|<)\\s*" + NUMBER);
  private static final Pattern RANGE = Pattern.compile(NUMBER + "\\s*\\.\\.\\s*" + NUMBER);
  private static final Pattern WITHIN = Pattern.compile("within\\s+" + SHARE + "%");
  private static final Pattern TREND =
      Pattern.compile(
          "(rises|falls|flat)\\s+along\\s+([^\\s]+)(?:\\s+within\\s+" + TOLERANCE + ")?");
  private static final MathContext ALL_DIGITS = new MathContext(12);
  private static final MathContext MEASURED_DIGITS = new MathContext(4);

  /**
   * A goal.
   *
   * @param words the words that replace it in a sentence, for example {@code at least 59% less}
   * @param tolerance the end of the sentence, for example {@code , with no step back}
   */
  record Goal(Bound bound, String words, String tolerance) {}

  /** A number, or a percentage as a share. */
  static double number(String text, YamlPath path) throws ExperimentException {
    if (!PLAIN.matcher(text).matches()) {
      throw path.wrong("\"%s\" is not a number such as 0.59 or 59%%".formatted(text));
    }
    return value(text);
  }

  private static double value(String text) {
    BigDecimal number = new BigDecimal(text.replace("%", ""));
    return (text.endsWith("%") ? number.movePointLeft(2) : number).doubleValue();
  }

  Goal parse(String text) throws ExperimentException {
    String goal = text.strip();
    Matcher match = PLAIN.matcher(goal);
    if (match.matches()) {
      return range(value(goal), value(goal), goal);
    }
    match = LIMIT.matcher(goal);
    if (match.matches()) {
      return limit(match.group(1), value(match.group(2)), goal);
    }
    match = RANGE.matcher(goal);
    if (match.matches()) {
      return range(value(match.group(1)), value(match.group(2)), goal);
    }
    match = WITHIN.matcher(goal);
    if (match.matches()) {
      return within(new BigDecimal(match.group(1)), goal);
    }
    match = TREND.matcher(goal);
    if (match.matches()) {
      Direction direction = Direction.valueOf(match.group(1).toUpperCase(Locale.ROOT));
      Axis axis = names.axis(match.group(2), path);
      return match.group(3) == null
          ? trend(axis, direction, 0, quantity.form().isShare() ? " points" : "%", goal)
          : trend(axis, direction, Double.parseDouble(match.group(3)), match.group(4), goal);
    }
    throw path.wrong(
        ("goal \"%s\" is not understood: write \">= 0.59\", \"<= 1.25\", \"> 0\", \"0.2 .. 0.34\","
                + " \"within 10%%\" or \"rises along code within 5%%\" (or falls, flat; of gains and"
                + " reductions within 5 points)")
            .formatted(goal));
  }

  private Goal limit(String sign, double value, String goal) {
    boolean least = sign.startsWith(">");
    // The next number, so that the limit itself is outside.
    double end = sign.endsWith("=") ? value : least ? Math.nextUp(value) : Math.nextDown(value);
    Bound bound =
        least
            ? new Between(end, Double.POSITIVE_INFINITY, goal)
            : new Between(Double.NEGATIVE_INFINITY, end, goal);
    String words =
        switch (sign) {
          case ">=" -> "at least ";
          case "<=" -> "at most ";
          case ">" -> "more than ";
          default -> "less than ";
        };
    return new Goal(bound, equal(value) ? comparison(sign) : words + figure(value), "");
  }

  /** Whether a comparison has this figure where both sides are equal. */
  private boolean equal(double value) {
    return switch (quantity.form()) {
      case VALUE -> false;
      case RATIO -> value == 1;
      case GAIN, REDUCTION -> value == 0;
    };
  }

  /** A limit at which both sides are equal. */
  private String comparison(String sign) {
    boolean more = sign.startsWith(">") != (quantity.form() == Form.REDUCTION);
    return sign.endsWith("=") ? more ? "no less" : "no more" : more ? "more" : "less";
  }

  private Goal range(double least, double most, String goal) throws ExperimentException {
    if (least > most) {
      throw path.wrong("goal \"%s\" is empty: the smaller number comes first".formatted(goal));
    }
    return new Goal(new Between(least, most, goal), span(least, most), "");
  }

  private Goal within(BigDecimal percent, String goal) throws ExperimentException {
    String share = percent.stripTrailingZeros().toPlainString() + "%";
    String origin =
        reference.map(r -> "what %s measured".formatted(r.origin())).orElse("the paper's figure");
    if (paper.isEmpty() && reference.isPresent()) {
      Reference missing = reference.get();
      String reason =
          "no results of %s: ./braid %s run %s --out %s"
              .formatted(
                  missing.origin(), missing.engine(), missing.experiment(), Experiments.DIRECTORY);
      return new Goal(new Unknown(goal, reason), origin, ", within " + share);
    }
    if (paper.isEmpty()) {
      throw path.wrong("goal \"%s\" needs the paper's figure: write paper: 0.59".formatted(goal));
    }
    BigDecimal figure = BigDecimal.valueOf(paper.getAsDouble());
    BigDecimal room = figure.multiply(percent.movePointLeft(2)).abs();
    double least = figure.subtract(room).doubleValue();
    double most = figure.add(room).doubleValue();
    return new Goal(
        new Between(least, most, goal),
        figure(paper.getAsDouble()),
        ", within %s of %s (%s)".formatted(share, origin, span(least, most)));
  }

  private Goal trend(Axis axis, Direction direction, double tolerance, String unit, String goal)
      throws ExperimentException {
    if (quantity.form().isShare() == unit.equals("%")) {
      throw path.wrong(
          "goal \"%s\" has a tolerance in %s: write it in %s"
              .formatted(
                  goal,
                  quantity.form().isShare() ? "percent" : "points",
                  quantity.form().isShare() ? "points" : "percent"));
    }
    String room = Numbers.exact(tolerance, ALL_DIGITS) + unit.replaceFirst("\\s+", " ");
    List<String> values = axis.values();
    String along =
        "along %s from %s to %s"
            .formatted(axis.name(), values.get(0), values.get(values.size() - 1));
    Bound bound = new Trend(axis.name(), direction, tolerance / 100, goal);
    if (direction == Direction.FLAT) {
      return new Goal(bound, "stays within %s of its mean %s".formatted(room, along), "");
    }
    return new Goal(
        bound,
        direction.name().toLowerCase(Locale.ROOT) + " " + along,
        ", with no step back" + (tolerance == 0 ? "" : " of more than " + room));
  }

  private String span(double least, double most) {
    return least == most ? figure(least) : number(least) + " to " + figure(most);
  }

  /** A figure with its unit, as sentences have it. */
  private String figure(double value) {
    String unit = names.unit(quantity.measure());
    return switch (quantity.form()) {
      case VALUE -> unit.isEmpty() ? number(value) : number(value) + " " + unit;
      case RATIO -> number(value) + " times";
      case GAIN -> number(value) + " more";
      case REDUCTION -> number(value) + " less";
    };
  }

  private String number(double value) {
    MathContext digits = reference.isPresent() ? MEASURED_DIGITS : ALL_DIGITS;
    return quantity.form().isShare()
        ? Numbers.exact(100 * value, digits) + "%"
        : Numbers.exact(value, digits);
  }
}
