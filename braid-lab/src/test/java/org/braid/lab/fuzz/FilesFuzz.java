package org.braid.lab.fuzz;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.provider.ArgumentsSource;
import org.junit.jupiter.params.support.ParameterDeclarations;

/**
 * Searches for files that a parser fails on, from the seeds of its target on. Surefire runs it only
 * when it is named, one method at a time; {@link FilesTest} reads what is found.
 */
final class FilesFuzz {

  /** Feeds the target of the same name for an hour, its seeds first. */
  @Target(ElementType.METHOD)
  @Retention(RetentionPolicy.RUNTIME)
  @ArgumentsSource(TargetSeeds.class)
  @FuzzTest(maxDuration = "1h")
  private @interface Fuzzed {}

  /**
   * The seeds of the target that a method feeds, behind an empty one. Jazzer instruments classes
   * when it runs the first: parsers that were loaded before would be changed while they are in use,
   * which some records do not stand.
   */
  static final class TargetSeeds implements ArgumentsProvider {
    @Override
    public Stream<Arguments> provideArguments(
        ParameterDeclarations parameters, ExtensionContext context) {
      String method = context.getRequiredTestMethod().getName();
      return Stream.concat(
          Stream.of(Arguments.of(Named.of("nothing", new byte[0]))),
          Stream.of(method).flatMap(TargetSeeds::of));
    }

    private static Stream<Arguments> of(String method) {
      return Arrays.stream(FileTarget.values())
          .filter(target -> target.fuzzTest().equals(method))
          .flatMap(target -> target.parser().arguments());
    }
  }

  @DictionaryEntries({
    "link: ",
    "oversubscription: ",
    "sites:",
    "racks: ",
    "clients: ",
    "name: ",
    "nodes: ",
    "uplink: ",
    "rack: ",
    "mbit",
    "gbit",
    "kbit",
    "  - ",
    "[",
    "{",
    "}",
    "]",
    ": ",
    ", ",
    "!!",
    "&a ",
    "*a",
    "<<: ",
    "|",
    ">-",
    "? ",
    "---"
  })
  @Fuzzed
  void topology(byte[] input) {
    FileTarget.TOPOLOGY.parser().feed(input);
  }

  @DictionaryEntries({
    "title: ",
    "about: ",
    "source: ",
    "engine: ",
    "workload: repair",
    "seed: ",
    "repetitions: ",
    "settings:",
    "axes:",
    "systems:",
    "figures:",
    "claims:",
    "charts:",
    "quick:",
    "measure: seconds",
    "measured:",
    "of: ",
    "against: ",
    "against-at: ",
    "against-measure: ",
    "system: ",
    "along: ",
    "values: ",
    "value: ",
    "at: ",
    "paper: ",
    "goal: ",
    "{goal}",
    "claim: ",
    "experiment: ",
    "times: ",
    "kind: ",
    "bars",
    "lines",
    "box",
    "x: ",
    "label: ",
    "code: ",
    "link: ",
    "ratio",
    "gain",
    "reduction",
    "lab",
    "sim",
    "\">= 59%\"",
    "\"<= 1\"",
    "\"0 .. 1\"",
    "within 10%",
    "rises along code",
    "falls along code",
    "flat along code within 5%",
    "within 5 points",
    "!!",
    "&a ",
    "*a",
    "<<: ",
    "|",
    ">-",
    "? ",
    "---",
    "  - ",
    "[",
    "{",
    "}",
    "]",
    ", "
  })
  @Fuzzed
  void experiment(byte[] input) {
    FileTarget.EXPERIMENT.parser().feed(input);
  }
}
