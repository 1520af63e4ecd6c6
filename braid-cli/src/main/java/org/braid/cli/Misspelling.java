package org.braid.cli;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.braid.experiment.text.Suggestions;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Finds the option or command that somebody meant. */
final class Misspelling {
  private Misspelling() {}

  /** What is wrong with a command line, and what an unknown word of it may have meant. */
  static String line(ParameterException e) {
    List<String> unknown = e.getCommandLine().getUnmatchedArguments();
    CommandSpec command = e.getCommandLine().getCommandSpec();
    // The value of an unknown option is then taken for something else, and found wrong first.
    return unknown.stream()
        .filter(word -> word.startsWith("-"))
        .findFirst()
        .map(option -> "Unknown option: '" + option + "'" + meant(option, options(command)))
        .orElseGet(
            () ->
                CommandErrors.line(e)
                    + (e instanceof UnmatchedArgumentException && !unknown.isEmpty()
                        ? meant(unknown.get(0), command.subcommands().keySet())
                        : ""));
  }

  private static Collection<String> options(CommandSpec command) {
    return command.options().stream().flatMap(option -> Stream.of(option.names())).toList();
  }

  private static String meant(String word, Collection<String> known) {
    return Suggestions.meant(word.replaceFirst("=.*", ""), known);
  }
}
