package org.braid.experiment.file;

import java.util.Locale;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.braid.experiment.Claim.Between;
import org.braid.experiment.Claim.Bound;
import org.braid.experiment.Claim.Direction;
import org.braid.experiment.Claim.Trend;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Place;

/** Reads what has to be so for a claim to hold, for example {@code >= 0.59}. */
final class Goals {
  static final String EXAMPLE = "goal: \">= 0.59\"";

  private static final String NUMBER = "(-?[0-9]{1,12}(?:\\.[0-9]{1,12})?%?)";
  private static final Pattern PLAIN = Pattern.compile(NUMBER);
  private static final Pattern LEAST = Pattern.compile(">=\\s*" + NUMBER);
  private static final Pattern MOST = Pattern.compile("<=\\s*" + NUMBER);
  private static final Pattern RANGE = Pattern.compile(NUMBER + "\\s*\\.\\.\\s*" + NUMBER);
  private static final Pattern WITHIN = Pattern.compile("within\\s+" + NUMBER);
  private static final Pattern TREND =
      Pattern.compile("(rises|falls|flat)\\s+along\\s+([^\\s]+)(?:\\s+within\\s+" + NUMBER + ")?");

  private Goals() {}

  /** A number, or a percentage as a share. */
  static double number(String text, String name, Place place) throws ExperimentException {
    if (!PLAIN.matcher(text).matches()) {
      throw place.wrong("%s is \"%s\", not a number such as 0.59 or 59%%".formatted(name, text));
    }
    return value(text);
  }

  private static double value(String text) {
    return text.endsWith("%")
        ? Double.parseDouble(text.substring(0, text.length() - 1)) / 100
        : Double.parseDouble(text);
  }

  static Bound parse(String text, OptionalDouble paper, Place place) throws ExperimentException {
    String goal = text.strip();
    Matcher match = LEAST.matcher(goal);
    if (match.matches()) {
      return new Between(value(match.group(1)), Double.POSITIVE_INFINITY, goal);
    }
    match = MOST.matcher(goal);
    if (match.matches()) {
      return new Between(Double.NEGATIVE_INFINITY, value(match.group(1)), goal);
    }
    match = RANGE.matcher(goal);
    if (match.matches()) {
      return range(value(match.group(1)), value(match.group(2)), goal, place);
    }
    match = WITHIN.matcher(goal);
    if (match.matches()) {
      return within(match.group(1), paper, goal, place);
    }
    match = TREND.matcher(goal);
    if (match.matches()) {
      double tolerance = match.group(3) == null ? 0 : value(match.group(3));
      if (tolerance < 0) {
        throw place.wrong("goal \"%s\" has a negative tolerance".formatted(goal));
      }
      Direction direction = Direction.valueOf(match.group(1).toUpperCase(Locale.ROOT));
      return new Trend(match.group(2), direction, tolerance, goal);
    }
    throw place.wrong(
        ("goal \"%s\" is not understood: write \">= 0.59\", \"<= 1.25\", \"0.2 .. 0.34\", \"within"
                + " 10%%\" or \"rises along code within 5%%\" (or falls, flat)")
            .formatted(goal));
  }

  private static Bound range(double least, double most, String goal, Place place)
      throws ExperimentException {
    if (least > most) {
      throw place.wrong("goal \"%s\" is empty: the smaller number comes first".formatted(goal));
    }
    return new Between(least, most, goal);
  }

  private static Bound within(String number, OptionalDouble paper, String goal, Place place)
      throws ExperimentException {
    if (paper.isEmpty()) {
      throw place.wrong("goal \"%s\" needs the paper's figure: write paper: 0.59".formatted(goal));
    }
    double share = value(number);
    double room = Math.abs(number.endsWith("%") ? share * paper.getAsDouble() : share);
    return new Between(paper.getAsDouble() - room, paper.getAsDouble() + room, goal);
  }
}
