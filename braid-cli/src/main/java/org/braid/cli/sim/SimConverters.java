package org.braid.cli.sim;

import org.braid.cli.command.Converters;
import org.braid.cli.text.Durations;
import org.braid.experiment.text.Sizes;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converters of the simulator's options; a value that they refuse is a usage error. */
final class SimConverters {
  private SimConverters() {}

  /** Reads a time, in seconds. */
  static final class Time implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      return Converters.read(Durations::parse, text);
    }
  }

  /** Reads a size in bytes, with {@code t} as a unit, too. */
  static final class Capacity implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      return Converters.read(
          size ->
              size.matches("[0-9]{1,6}[tT]")
                  ? (double) Sizes.parse(size.substring(0, size.length() - 1) + "g") * 1024
                  : (double) Sizes.parse(size),
          text);
    }
  }

  /** Reads a number of at least 0. */
  static final class Amount implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      if (!text.matches("[0-9]{1,9}(\\.[0-9]{1,9})?(e-?[0-9]{1,2})?")) {
        throw new TypeConversionException(
            "\"" + text + "\" is not a number of at least 0, as in 0.25");
      }
      return Double.parseDouble(text);
    }
  }

  /** Reads a whole number of at least 0. */
  static final class Whole implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      if (!text.matches("[0-9]{1,9}")) {
        throw new TypeConversionException(
            "\"" + text + "\" is not a whole number of at least 0, as in 2");
      }
      return Integer.valueOf(text);
    }
  }
}
