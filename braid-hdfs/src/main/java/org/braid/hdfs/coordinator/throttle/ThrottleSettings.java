package org.braid.hdfs.coordinator.throttle;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.braid.hdfs.api.view.ThrottleView.Source;
import org.braid.plan.throttle.SharedLink.Kind;
import org.braid.plan.throttle.Throttle;
import org.braid.plan.throttle.WorkClass;

/**
 * The throttle as text: the properties of a configuration, and the values that operators set at run
 * time.
 */
public final class ThrottleSettings {
  /** The prefix of the properties. */
  public static final String PREFIX = "braid.throttle.";

  /**
   * The value for no limit, against a property that sets one; for a share, the configured or
   * default one.
   */
  public static final String NONE = "none";

  private static final String REPAIR = "repair-share";
  private static final String CONVERSION = "conversion-share";
  private static final String LATENCY = "latency-target";
  private static final String SHARE_RANGE = "needed is a number from 0 to 1";
  private static final String LATENCY_RANGE = "needed is a time from 100us to 10s, or 0 for never";

  /** All keys, without the prefix. */
  public static final List<String> KEYS =
      Stream.of(
              "braid.throttle.node",
              "braid.throttle.disk",
              "braid.throttle.uplink",
              "braid.throttle.site",
              "braid.throttle.cluster",
              "braid.throttle.repair-share",
              "braid.throttle.conversion-share",
              "braid.throttle.latency-target")
          .map(property -> property.substring(PREFIX.length()))
          .toList();

  private ThrottleSettings() {}

  /** The values of a configuration, by key. */
  public static Map<String, String> of(Configuration conf) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String key : KEYS) {
      String value = conf.getTrimmed(PREFIX + key, "");
      if (!value.isEmpty()) {
        values.put(key, value);
      }
    }
    return values;
  }

  /**
   * The origins of values, by key.
   *
   * @param configured keys with properties
   * @param set keys that were set over the properties
   * @param given keys that are being set now
   */
  private record Origin(Set<String> configured, Set<String> set, Set<String> given) {
    /** Its name in messages: that of the property, or of the part of the throttle. */
    String name(String key) {
      return configured.contains(key) && !set.contains(key) ? PREFIX + key : key;
    }

    /** The origin in brackets after a blank; empty when the reader has just set the value. */
    String words(String key) {
      if (set.contains(key)) {
        return given.contains(key) ? "" : " (set)";
      }
      return configured.contains(key) ? " (configured)" : " (default)";
    }

    /** Whether one share was set earlier, the other was not, and neither is being set. */
    boolean isSetBefore(String key, String other) {
      return set.contains(key)
          && !set.contains(other)
          && !given.contains(key)
          && !given.contains(other);
    }
  }

  /**
   * The throttle of a configuration's values by key, with defaults for missing keys.
   *
   * @throws IllegalArgumentException naming the property and its invalid value
   */
  public static Throttle throttle(Map<String, String> settings) {
    return throttle(settings, new Origin(settings.keySet(), Set.of(), Set.of()));
  }

  /**
   * The throttle of a configuration and of the values set over it. If a share that was set earlier
   * and the other one, configured or by default, exceed 1 together, the other one is reduced to the
   * rest.
   *
   * @param given keys that are being set now
   * @throws IllegalArgumentException naming the property or key, and the value that cannot be
   */
  static Throttle throttle(
      Map<String, String> settings, Map<String, String> set, Set<String> given) {
    Map<String, String> merged = new LinkedHashMap<>(settings);
    merged.putAll(set);
    return throttle(merged, new Origin(settings.keySet(), set.keySet(), given));
  }

  private static Throttle throttle(Map<String, String> values, Origin origin) {
    Configuration conf = new Configuration(false);
    values.forEach(
        (key, value) -> {
          if (!value.equals(NONE)) {
            conf.set(key, value);
          }
        });
    EnumMap<Kind, Long> limits = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      if (conf.get(kind.word()) != null) {
        limits.put(kind, limit(conf, kind.word(), origin));
      }
    }
    Map<WorkClass, Double> shares = shares(conf, origin);
    long micros =
        read(conf, LATENCY, origin, () -> conf.getTimeDuration(LATENCY, 0, TimeUnit.MICROSECONDS));
    if (micros < 0) {
      throw new IllegalArgumentException(refusal(conf, LATENCY, origin, LATENCY_RANGE));
    }
    return new Throttle(limits, shares, micros);
  }

  private static long limit(Configuration conf, String key, Origin origin) {
    long limit = read(conf, key, origin, () -> conf.getLongBytes(key, 0));
    if (limit != 0 && limit < Throttle.LEAST) {
      String needed =
          "needed are %d (64k) or more bytes a second, 0 to stop, or none"
              .formatted(Throttle.LEAST);
      throw new IllegalArgumentException(refusal(conf, key, origin, needed));
    }
    return limit;
  }

  private static double share(Configuration conf, String key, double usual, Origin origin) {
    double share = read(conf, key, origin, () -> conf.getDouble(key, usual));
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException(refusal(conf, key, origin, SHARE_RANGE));
    }
    return share;
  }

  private static Map<WorkClass, Double> shares(Configuration conf, Origin origin) {
    double repair = share(conf, REPAIR, Throttle.REPAIR_SHARE, origin);
    double conversion = share(conf, CONVERSION, Throttle.CONVERSION_SHARE, origin);
    if (repair + conversion > 1 + 1e-9) {
      if (origin.isSetBefore(REPAIR, CONVERSION)) {
        conversion = rest(repair);
      } else if (origin.isSetBefore(CONVERSION, REPAIR)) {
        repair = rest(conversion);
      } else {
        throw tooMuch(conf, repair, conversion, origin);
      }
    }
    return Map.of(WorkClass.REPAIR, repair, WorkClass.CONVERSION, conversion);
  }

  /** What a share leaves of 1, in decimal arithmetic. */
  private static double rest(double share) {
    return BigDecimal.ONE.subtract(BigDecimal.valueOf(share)).doubleValue();
  }

  /** The refusal of shares that exceed 1 together; it names both. */
  private static IllegalArgumentException tooMuch(
      Configuration conf, double repair, double conversion, Origin origin) {
    String sum =
        BigDecimal.valueOf(repair)
            .add(BigDecimal.valueOf(conversion))
            .stripTrailingZeros()
            .toPlainString();
    return new IllegalArgumentException(
        ("the shares of repair and conversion are %s together, at most 1 can be shared: %s ="
                + " \"%s\"%s, %s = \"%s\"%s%s")
            .formatted(
                sum,
                origin.name(REPAIR),
                conf.get(REPAIR, "" + repair),
                origin.words(REPAIR),
                origin.name(CONVERSION),
                conf.get(CONVERSION, "" + conversion),
                origin.words(CONVERSION),
                (origin.words(REPAIR) + origin.words(CONVERSION)).isEmpty() ? "" : "; set both"));
  }

  /** The name of a key in JSON, as other keys there are written. */
  private static String jsonKey(String key) {
    return key.replace('-', '_');
  }

  /**
   * The origin of each value, by its key in JSON, for example {@code repair_share}.
   *
   * @param set the values set over the configuration
   * @throws IllegalArgumentException when the throttle is invalid
   */
  static Map<String, Source> sources(Map<String, String> settings, Map<String, String> set) {
    Map<String, Source> sources = new LinkedHashMap<>();
    for (String key : KEYS) {
      sources.put(
          jsonKey(key),
          set.containsKey(key)
              ? Source.SET
              : settings.containsKey(key) ? Source.SETTING : Source.DEFAULT);
    }
    Throttle without = throttle(settings);
    Throttle now = throttle(settings, set, Set.of());
    Map.of(REPAIR, WorkClass.REPAIR, CONVERSION, WorkClass.CONVERSION)
        .forEach(
            (key, work) -> {
              if (!set.containsKey(key) && now.share(work) < without.share(work)) {
                sources.put(jsonKey(key), Source.LIMITED);
              }
            });
    return sources;
  }

  /**
   * Refuses changes that are invalid under any other values. Checks the sum of shares only if both
   * are given: the other share is not known yet.
   *
   * @throws IllegalArgumentException naming the invalid key or value
   */
  public static void check(Map<String, String> changes) {
    for (String key : changes.keySet()) {
      if (!KEYS.contains(key)) {
        throw new IllegalArgumentException(
            "a throttle has no \"%s\": %s".formatted(key, String.join(", ", KEYS)));
      }
    }
    checkUnits(changes);
    Map<String, String> alone = new LinkedHashMap<>(Map.of(REPAIR, "0", CONVERSION, "0"));
    alone.putAll(changed(Map.of(), changes));
    Set<String> given = changes.keySet();
    var unused = throttle(alone, new Origin(Set.of(), given, given));
    checkLatency(changes);
  }

  /**
   * Refuses a latency target outside the range of times that packets can take. Such a target of an
   * earlier release is still read, as the other limits hold.
   */
  private static void checkLatency(Map<String, String> changes) {
    String latency = changes.getOrDefault(LATENCY, NONE);
    if (latency.equals(NONE)) {
      return;
    }
    Configuration conf = new Configuration(false);
    conf.set(LATENCY, latency);
    long nanos = conf.getTimeDuration(LATENCY, 0, TimeUnit.MICROSECONDS, TimeUnit.NANOSECONDS);
    if (nanos != 0
        && (nanos < TimeUnit.MICROSECONDS.toNanos(Throttle.LEAST_LATENCY_MICROS)
            || nanos > TimeUnit.MICROSECONDS.toNanos(Throttle.MOST_LATENCY_MICROS))) {
      throw new IllegalArgumentException(
          "%s = \"%s\": %s".formatted(LATENCY, latency, LATENCY_RANGE));
    }
  }

  /**
   * The values set after changes to the earlier ones. A share of none is removed, so that the
   * configured or default one holds: there is no unlimited share.
   */
  static Map<String, String> changed(Map<String, String> set, Map<String, String> changes) {
    Map<String, String> changed = new LinkedHashMap<>(set);
    changed.putAll(changes);
    changed.entrySet().removeIf(entry -> isNoShare(entry.getKey(), entry.getValue()));
    return changed;
  }

  private static boolean isNoShare(String key, String value) {
    return (key.equals(REPAIR) || key.equals(CONVERSION)) && value.equals(NONE);
  }

  /**
   * Refuses ambiguous values: 5 without a unit would be 5 microseconds, above which every node
   * gives way.
   */
  static void checkUnits(Map<String, String> changes) {
    String latency = changes.getOrDefault(LATENCY, NONE).trim();
    if (latency.matches("[0-9]*[1-9][0-9]*")) {
      throw new IllegalArgumentException(
          "%s = \"%s\": needed is a time with its unit, as %sms"
              .formatted(LATENCY, latency, latency));
    }
  }

  private interface Reader<T> {
    T read();
  }

  private static <T> T read(Configuration conf, String key, Origin origin, Reader<T> reader) {
    try {
      return reader.read();
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) { // the latter of nothing
      String needed =
          key.equals(LATENCY)
              ? "needed is a time, as 5ms"
              : key.endsWith("-share")
                  ? SHARE_RANGE
                  : "needed is bytes a second, as 50m, 0 to stop, or none";
      throw new IllegalArgumentException(refusal(conf, key, origin, needed), e);
    }
  }

  /** The refusal of an invalid value: its name, the given value, the valid ones. */
  private static String refusal(Configuration conf, String key, Origin origin, String needed) {
    return "%s = \"%s\": %s".formatted(origin.name(key), conf.get(key, ""), needed);
  }

  /**
   * Encodes values as they are stored, without the blanks around them, as blanks separate values.
   */
  static String text(Map<String, String> values) {
    return new TreeMap<>(values)
        .entrySet().stream()
            .map(entry -> entry.getKey() + "=" + entry.getValue().trim())
            .collect(Collectors.joining(" "));
  }

  /**
   * Decodes the result of {@link #text}; skips keys of later releases.
   *
   * @throws IOException when it is something else
   */
  static Map<String, String> values(String text) throws IOException {
    Map<String, String> values = new LinkedHashMap<>();
    for (String part : text.trim().split("\\s+")) {
      int at = part.indexOf('=');
      if (part.isEmpty()) {
        continue;
      }
      if (at < 1 || at == part.length() - 1) {
        throw new IOException("\"" + part + "\" is not KEY=VALUE");
      }
      String key = part.substring(0, at).toLowerCase(Locale.ROOT);
      String value = part.substring(at + 1);
      if (KEYS.contains(key) && !isNoShare(key, value)) {
        values.put(key, value);
      }
    }
    return Collections.unmodifiableMap(values);
  }
}
