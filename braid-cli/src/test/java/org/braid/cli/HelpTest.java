package org.braid.cli;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.braid.cli.command.Termination;
import org.braid.hdfs.Braid;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The help of every command says what it and its options do, and has an example that works. */
final class HelpTest {
  /** More than the longest list of an option's values takes. */
  private static final int WORDS_A_SENTENCE = 45;

  private static CommandLine program() {
    return Main.commandLine(Braid::connect, Termination.ofCommand());
  }

  static Stream<String> commands() {
    return below(program()).map(line -> line.getCommandSpec().qualifiedName());
  }

  private static Stream<CommandLine> below(CommandLine line) {
    return Stream.concat(
        Stream.of(line), line.getSubcommands().values().stream().flatMap(HelpTest::below));
  }

  private static CommandSpec named(String command) {
    return below(program())
        .map(CommandLine::getCommandSpec)
        .filter(spec -> spec.qualifiedName().equals(command))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void optionsAreDescribed(String command) {
    CommandSpec spec = named(command);
    assertSentence(command, String.join(" ", spec.usageMessage().description()));
    // The list of a group's commands has this line alone.
    assertSentence(command, spec.usageMessage().description()[0]);
    Stream.concat(spec.options().stream(), spec.positionalParameters().stream())
        .filter(arg -> !(arg instanceof OptionSpec option && option.usageHelp()))
        .forEach(
            arg -> {
              String what = command + " " + name(arg);
              String description = String.join(" ", arg.description());
              assertSentence(what, description);
              if (arg.defaultValue() != null) {
                assertTrue(
                    description.contains("default: " + arg.defaultValue()),
                    what + " does not name its default: " + description);
              }
            });
  }

  private static void assertSentence(String what, String description) {
    assertTrue(description.matches("(?s)\\S.*\\."), what + ": " + description);
    for (String sentence : description.split("(?<=\\.) ")) {
      int words = sentence.split(" ").length;
      assertTrue(words <= WORDS_A_SENTENCE, what + " has " + words + " words: " + sentence);
    }
  }

  private static String name(ArgSpec arg) {
    return arg instanceof OptionSpec option ? option.longestName() : arg.paramLabel();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void examplesAreCommands(String command) {
    List<String> examples = examples(named(command));
    assertFalse(examples.isEmpty() && !command.equals("braid"), command + " has no example");
    for (String example : examples) {
      List<String> words = List.of(example.replaceFirst(" \\d?>.*", "").split(" +"));
      assertTrue(
          (example + " ").startsWith(command + " "), command + " has the example of another");
      // Whoever copies it has a shell that makes names of local files of a pattern.
      assertTrue(
          words.stream().allMatch(word -> !word.contains("*") || word.matches("'[^']*'")), example);
      assertDoesNotThrow(
          () -> program().parseArgs(words.subList(1, words.size()).toArray(String[]::new)),
          example);
    }
  }

  /** The lines of the footer that begin with the program's name; one ends where none follows. */
  private static List<String> examples(CommandSpec spec) {
    List<String> examples = new ArrayList<>();
    for (String line : spec.usageMessage().footer()) {
      if (line.startsWith("  braid ")) {
        examples.add(line.strip());
      }
    }
    return examples;
  }
}
