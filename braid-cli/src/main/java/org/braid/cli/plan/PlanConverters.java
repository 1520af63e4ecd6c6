package org.braid.cli.plan;

import org.braid.cli.Converters;
import picocli.CommandLine.ITypeConverter;

/** Readers of the options of plans. */
final class PlanConverters {
  private PlanConverters() {}

  /** Reads a topology. */
  static final class OfGrid implements ITypeConverter<Grid> {
    @Override
    public Grid convert(String text) {
      return Converters.read(Grid::parse, text);
    }
  }
}
