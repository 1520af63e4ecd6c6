package org.braid.cli;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.braid.experiment.text.Suggestions;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Finds the option or command that a user probably meant. */
final class Misspelling {
  /** Shorter options are like too many words. */
  private static final int SHORTEST = 3;

  private Misspelling() {}

  /** The error of a command line, with suggestions for an unknown word. */
  static String line(ParameterException e) {
    List<String> unknown = e.getCommandLine().getUnmatchedArguments();
    CommandSpec command = e.getCommandLine().getCommandSpec();
    if (e instanceof UnmatchedArgumentException && !unknown.isEmpty()) {
      String word = unknown.get(0);
      String early = early(word, command);
      if (!early.isEmpty()) {
        return CommandErrors.line(e) + early;
      }
      boolean named = isOption(word) || command.subcommands().isEmpty();
      return (named ? CommandErrors.line(e) : "no command is named '" + word + "'")
          + meant(word, command);
    }
    // The value of an unknown option was taken for something else, and found wrong first.
    return unknown.stream()
        .filter(Misspelling::isOption)
        .findFirst()
        .map(option -> "Unknown option: '" + option + "'" + meant(option, command))
        .orElseGet(() -> CommandErrors.line(e));
  }

  private static boolean isOption(String word) {
    return word.startsWith("-");
  }

  /** What to say of an option that stands before the command which has it. */
  private static String early(String word, CommandSpec group) {
    // A property may follow its option without a space.
    return Stream.of(word.replaceFirst("=.*", ""), word.substring(0, Math.min(2, word.length())))
        .filter(name -> isOption(name) && isBelow(name, group))
        .findFirst()
        .map(
            name ->
                "; options come after the command, as in %s COMMAND %s"
                    .formatted(group.qualifiedName(), name))
        .orElse("");
  }

  private static boolean isBelow(String option, CommandSpec group) {
    return group.subcommands().values().stream()
        .map(CommandLine::getCommandSpec)
        .anyMatch(command -> command.optionsMap().containsKey(option) || isBelow(option, command));
  }

  private static String meant(String word, CommandSpec command) {
    if (!isOption(word)) {
      return Suggestions.meant(Suggestions.near(word, command.subcommands().keySet()));
    }
    Map<String, String> names = new TreeMap<>();
    for (OptionSpec option : command.options()) {
      for (String name : option.names()) {
        String letters = letters(name);
        if (letters.length() >= SHORTEST && !option.usageHelp() && !option.versionHelp()) {
          names.put(letters, name);
        }
      }
    }
    return Suggestions.meant(
        Suggestions.near(letters(word), names.keySet()).stream()
            .map(letters -> Objects.requireNonNull(names.get(letters)))
            .toList());
  }

  private static String letters(String option) {
    return option.replaceFirst("^-+", "").replaceFirst("=.*", "");
  }
}
