package org.braid.hdfs.setting;

import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;

/** A condition on the well-formed values of a property. */
@FunctionalInterface
public interface Allowed {
  /** Any value of the property's form. */
  Allowed ALL = (conf, name) -> Optional.empty();

  /** The reason why a configured value is not allowed; empty when it is. */
  Optional<String> refusal(Configuration conf, String name);

  /** Both this condition and another one. */
  default Allowed and(Allowed other) {
    return (conf, name) -> refusal(conf, name).or(() -> other.refusal(conf, name));
  }

  /** A number or a size of at least {@code least}. */
  static Allowed atLeast(long least) {
    return (conf, name) ->
        refusalUnless(conf.getLongBytes(name, least) >= least, "at least " + least);
  }

  /** A number or a size from {@code least} to {@code most}. */
  static Allowed within(long least, long most) {
    return (conf, name) -> {
      long value = conf.getLongBytes(name, least);
      return refusalUnless(value >= least && value <= most, least + " to " + most);
    };
  }

  /** A size that is at least as large as another property's. */
  static Allowed atLeastOf(String other, long usual) {
    return (conf, name) -> {
      long least = conf.getLongBytes(other, usual);
      return refusalUnless(
          conf.getLongBytes(name, least) >= least,
          "at least %s, which is %d".formatted(other, least));
    };
  }

  /** A size of at least {@code least} bytes, or 0, or no value. */
  static Allowed zeroOrAtLeast(long least) {
    return (conf, name) -> {
      long value = conf.getTrimmed(name, "").isEmpty() ? 0 : conf.getLongBytes(name, 0);
      return refusalUnless(value == 0 || value >= least, "0, or at least " + least);
    };
  }

  /** A finite ratio from {@code least} to {@code most}. */
  static Allowed ratio(double least, double most) {
    return (conf, name) -> {
      double value = conf.getDouble(name, least);
      return refusalUnless(
          value >= least && value <= most && Double.isFinite(value),
          most == Double.POSITIVE_INFINITY
              ? "a number of at least " + plain(least)
              : "a number from " + plain(least) + " to " + plain(most));
    };
  }

  /** A ratio whose sum with another property's is at most 1. */
  static Allowed shareWith(String other, double usual, double usualOther) {
    return (conf, name) -> {
      double sum = conf.getDouble(name, usual) + conf.getDouble(other, usualOther);
      return refusalUnless(
          !(sum > 1 + 1e-9),
          "at most 1 together with %s, which is %s"
              .formatted(other, plain(conf.getDouble(other, usualOther))));
    };
  }

  /** A time from {@code least} to {@code most}, as its reader converts it into a unit. */
  static Allowed time(TimeUnit unit, long least, long most) {
    return (conf, name) -> {
      long value = conf.getTimeDuration(name, least, unit);
      return refusalUnless(
          value >= least && value <= most,
          most == Long.MAX_VALUE
              ? "a time of at least " + text(unit, least)
              : "a time from " + text(unit, least) + " to " + text(unit, most));
    };
  }

  /** A time of at least {@code least} milliseconds. */
  static Allowed millis(long least) {
    return time(TimeUnit.MILLISECONDS, least, Long.MAX_VALUE);
  }

  /**
   * 0, or a time from {@code least} to {@code most}.
   *
   * @param unit unit of the bounds, and of a value without a unit
   */
  static Allowed zeroOrTime(TimeUnit unit, long least, long most) {
    return (conf, name) -> {
      long nanos = conf.getTimeDuration(name, 0, unit, TimeUnit.NANOSECONDS);
      return refusalUnless(
          nanos == 0 || (nanos >= unit.toNanos(least) && nanos <= unit.toNanos(most)),
          "0, or a time from " + text(unit, least) + " to " + text(unit, most));
    };
  }

  private static String text(TimeUnit unit, long value) {
    long micros = unit.toMicros(value);
    if (micros % 1000 != 0) {
      return micros + "us";
    }
    long millis = micros / 1000;
    return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
  }

  /** One of some names. */
  static Allowed names(Collection<String> names) {
    return (conf, name) ->
        refusalUnless(
            names.contains(conf.getTrimmed(name, "")), "one of " + String.join(", ", names));
  }

  /**
   * A value that a reader parses without an exception, whose message otherwise says what is
   * allowed.
   */
  static Allowed readBy(Consumer<String> reader) {
    return (conf, name) -> {
      String value = conf.getTrimmed(name, "");
      try {
        if (!value.isEmpty()) {
          reader.accept(value);
        }
        return Optional.empty();
      } catch (IllegalArgumentException e) {
        return Optional.of(String.valueOf(e.getMessage()));
      }
    };
  }

  private static Optional<String> refusalUnless(boolean allowed, String needed) {
    return allowed ? Optional.empty() : Optional.of("it is out of range: needed is " + needed);
  }

  private static String plain(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
