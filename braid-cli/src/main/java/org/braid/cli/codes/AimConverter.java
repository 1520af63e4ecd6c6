package org.braid.cli.codes;

import java.util.Locale;
import java.util.stream.Stream;
import org.braid.code.derive.Aim;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads what a repair should need least of. */
final class AimConverter implements ITypeConverter<Aim> {
  @Override
  public Aim convert(String text) {
    return Stream.of(Aim.values())
        .filter(aim -> aim.name().toLowerCase(Locale.ROOT).equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "unknown aim \"" + text + "\"; known: blocks, bytes, racks"));
  }
}
