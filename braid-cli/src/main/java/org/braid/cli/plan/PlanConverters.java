package org.braid.cli.plan;

import org.braid.experiment.text.Sizes;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Readers of the options of plans. */
public final class PlanConverters {
  private PlanConverters() {}

  private static TypeConversionException refusal(IllegalArgumentException e) {
    return new TypeConversionException(String.valueOf(e.getMessage()));
  }

  /** Reads a topology. */
  static final class OfGrid implements ITypeConverter<Grid> {
    @Override
    public Grid convert(String text) {
      try {
        return Grid.parse(text);
      } catch (IllegalArgumentException e) {
        throw refusal(e);
      }
    }
  }

  /** Reads a rate, in bytes a second. */
  public static final class Rate implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      try {
        return Sizes.parseRate(text);
      } catch (IllegalArgumentException e) {
        throw refusal(e);
      }
    }
  }

  /** Reads a number of at least 1. */
  public static final class Ratio implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      if (!text.matches("[0-9]{1,6}(\\.[0-9]{1,6})?") || Double.parseDouble(text) < 1) {
        throw new TypeConversionException(
            "\"" + text + "\" is not a ratio: write a number of at least 1, as in 4 or 2.5");
      }
      return Double.parseDouble(text);
    }
  }
}
