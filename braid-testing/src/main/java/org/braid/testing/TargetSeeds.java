package org.braid.testing;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * The seeds of the target that a method feeds, behind an empty one. Jazzer instruments classes when
 * it runs the first: parsers that were loaded before would be changed while they are in use, which
 * some records do not stand.
 */
final class TargetSeeds implements ArgumentsProvider {
  @Override
  public Stream<Arguments> provideArguments(
      ParameterDeclarations parameters, ExtensionContext context) {
    return Stream.concat(
        Stream.of(Arguments.of(Named.of("nothing", new byte[0]))),
        Stream.of(context).flatMap(TargetSeeds::seeds));
  }

  private static Stream<Arguments> seeds(ExtensionContext context) {
    Class<?> tests = context.getRequiredTestClass();
    FuzzTargets targets = tests.getAnnotation(FuzzTargets.class);
    if (targets == null) {
      throw new IllegalStateException(tests + " has no @FuzzTargets");
    }
    String method = context.getRequiredTestMethod().getName();
    return Arrays.stream(targets.value().getEnumConstants())
        .filter(target -> target.fuzzTest().equals(method))
        .flatMap(target -> target.parser().arguments());
  }
}
