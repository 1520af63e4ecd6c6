package org.braid.experiment;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.braid.experiment.text.Sizes;
import org.braid.experiment.text.Suggestions;

/**
 * The settings of a workload, as text, read with the type that is needed. Every error names the key
 * and, where it is known, the file and line of its value.
 */
public final class WorkloadSettings {
  private static final String WHOLE = "-?[0-9]{1,18}";
  private static final String NUMBER = "-?[0-9]{1,15}(\\.[0-9]{1,15})?([eE]-?[0-9]{1,3})?";

  private final Map<String, Value> values;

  /**
   * A value as written.
   *
   * @param location where
   */
  public record Value(String text, SourceLocation location) {}

  private WorkloadSettings(Map<String, Value> values) {
    this.values = Collections.unmodifiableMap(new TreeMap<>(values));
  }

  /** The defaults of a workload. */
  public static WorkloadSettings defaults(Workload workload) {
    SourceLocation source = new SourceLocation("default of workload " + workload.name(), 0);
    Map<String, Value> values = new TreeMap<>();
    workload.defaults().forEach((key, text) -> values.put(key, new Value(text, source)));
    return new WorkloadSettings(values);
  }

  /**
   * These settings with others in place of some.
   *
   * @throws ExperimentException when one is unknown here
   */
  public WorkloadSettings with(Map<String, Value> others) throws ExperimentException {
    refuseUnknown(others);
    Map<String, Value> all = new TreeMap<>(values);
    all.putAll(others);
    return new WorkloadSettings(all);
  }

  /**
   * Refuses settings that are not among these.
   *
   * @throws ExperimentException naming the first, its place and all that are known
   */
  public void refuseUnknown(Map<String, Value> others) throws ExperimentException {
    for (Map.Entry<String, Value> other : others.entrySet()) {
      if (!values.containsKey(other.getKey())) {
        throw other
            .getValue()
            .location()
            .wrong(
                "unknown setting \"%s\"%s"
                    .formatted(other.getKey(), Suggestions.hint(other.getKey(), values.keySet())));
      }
    }
  }

  /** These settings without some. */
  public WorkloadSettings without(Set<String> keys) {
    Map<String, Value> rest = new TreeMap<>(values);
    rest.keySet().removeAll(keys);
    return new WorkloadSettings(rest);
  }

  /** All keys and values. */
  public Map<String, Value> values() {
    return values;
  }

  /** Whether there is such a setting. */
  public boolean has(String key) {
    return values.containsKey(key);
  }

  /** A text as written. */
  public String text(String key) {
    return value(key).text();
  }

  /** The error that a value is wrong, with its place. */
  public ExperimentException wrong(String key, String reason) {
    return value(key).location().wrong(key + ": " + reason);
  }

  /**
   * Reads a value with a reader that throws {@link IllegalArgumentException} on a wrong one, such
   * as {@code Codes::named} or {@code Topology::parse}.
   *
   * @throws ExperimentException with the reader's message, the key and the place
   */
  public <T> T as(String key, Function<String, T> reader) throws ExperimentException {
    try {
      return reader.apply(text(key));
    } catch (IllegalArgumentException e) {
      throw wrong(key, String.valueOf(e.getMessage()));
    }
  }

  /** A whole number of at least {@code least}. */
  public int integer(String key, int least) throws ExperimentException {
    long value = whole(key, least);
    if (value > Integer.MAX_VALUE) {
      throw wrong(key, value + " is too large: at most " + Integer.MAX_VALUE);
    }
    return (int) value;
  }

  /** A whole number of at least {@code least}, of 18 digits at most. */
  public long whole(String key, long least) throws ExperimentException {
    String text = text(key);
    if (!text.matches(WHOLE)) {
      throw wrong(key, "\"" + text + "\" is not a whole number");
    }
    long value = Long.parseLong(text);
    if (value < least) {
      throw wrong(key, value + " is too small: write a whole number of at least " + least);
    }
    return value;
  }

  /** A number of at least {@code least}. */
  public double number(String key, double least) throws ExperimentException {
    String text = text(key);
    if (!text.matches(NUMBER)) {
      throw wrong(key, "\"" + text + "\" is not a number");
    }
    double value = Double.parseDouble(text);
    if (Double.isInfinite(value)) {
      throw wrong(key, text + " is too large: at most " + Double.MAX_VALUE);
    }
    if (!(value >= least)) {
      throw wrong(key, text + " is too small: write a number of at least " + number(least));
    }
    return value;
  }

  /** Bytes, written as {@code 64k 8m 1g}; at least 1. */
  public long size(String key) throws ExperimentException {
    return as(key, Sizes::parse);
  }

  /** Bytes of at most 2 GiB. */
  public int sizeOfBuffer(String key) throws ExperimentException {
    return as(key, Sizes::parseInt);
  }

  /** A rate in bytes a second, written as {@code 100mbit}; more than 0. */
  public double rate(String key) throws ExperimentException {
    return as(key, Sizes::parseRate);
  }

  /** {@code true} or {@code false}; {@code yes}, {@code no}, {@code on} and {@code off}, too. */
  public boolean flag(String key) throws ExperimentException {
    return switch (text(key).toLowerCase(Locale.ROOT)) {
      case "true", "yes", "on" -> true;
      case "false", "no", "off" -> false;
      default -> throw wrong(key, "\"" + text(key) + "\" is neither true nor false");
    };
  }

  /**
   * The constant that a setting names: in lower case, words joined by hyphens.
   *
   * @param type all that it may be
   */
  public <E extends Enum<E>> E constant(String key, Class<E> type) throws ExperimentException {
    String text = text(key);
    List<String> names = new ArrayList<>();
    for (E constant : type.getEnumConstants()) {
      String name = constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
      if (name.equals(text)) {
        return constant;
      }
      names.add(name);
    }
    throw wrong(key, "\"" + text + "\" is none of " + String.join(", ", names));
  }

  /** A list, written with commas or blanks between its members; none when empty. */
  public List<String> list(String key) {
    return Stream.of(text(key).split("[,\\s]+")).filter(word -> !word.isEmpty()).toList();
  }

  private Value value(String key) {
    Value value = values.get(key);
    if (value == null) {
      throw new IllegalArgumentException(
          "setting \"" + key + "\" is not among the workload's defaults " + values.keySet());
    }
    return value;
  }

  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? String.valueOf((long) value)
        : String.valueOf(value);
  }

  /** All settings as {@code key=value}, by key, with blanks between; a blank in a value is %20. */
  @Override
  public String toString() {
    return write(values);
  }

  /** Settings as {@link #toString} writes them, in the order of the map. */
  public static String write(Map<String, Value> settings) {
    return settings.entrySet().stream()
        .map(e -> e.getKey() + "=" + e.getValue().text().replace("%", "%25").replace(" ", "%20"))
        .collect(Collectors.joining(" "));
  }

  /** Parses the result of {@link #toString}; skips parts of another form. */
  public static Map<String, String> parse(String written) {
    Map<String, String> values = new TreeMap<>();
    for (String word : written.split(" ")) {
      int equal = word.indexOf('=');
      if (equal > 0) {
        String text = word.substring(equal + 1).replace("%20", " ").replace("%25", "%");
        values.put(word.substring(0, equal), text);
      }
    }
    return values;
  }
}
