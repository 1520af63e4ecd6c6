package org.braid.cli.release;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The manual page of a command, in the format of {@code man}, generated from its {@code --help}.
 */
final class ManualPage {
  private final CommandSpec spec;
  private final StringBuilder text = new StringBuilder();

  private ManualPage(CommandSpec spec) {
    this.spec = spec;
  }

  /** The name of a command's page without its section, as {@code braid-codes-list}. */
  static String name(CommandSpec spec) {
    return spec.qualifiedName("-");
  }

  /**
   * The page of a command.
   *
   * @param version of the release
   */
  static String of(CommandLine command, String version) {
    return new ManualPage(command.getCommandSpec()).write(command, version);
  }

  private String write(CommandLine command, String version) {
    CommandLine.Help help = command.getHelp();
    List<String> description = lines(spec.usageMessage().description());
    line(
        ".TH \"%s\" 1 \"\" \"Braid %s\" \"Braid\""
            .formatted(name(spec).toUpperCase(Locale.ROOT), version));
    section("NAME");
    plain(name(spec) + " - " + (description.isEmpty() ? "" : description.get(0)));
    section("SYNOPSIS");
    line(".nf");
    help.synopsis(0).lines().forEach(this::plain);
    line(".fi");
    section("DESCRIPTION");
    description.forEach(this::paragraph);
    arguments();
    subcommands();
    exitStatuses();
    footer();
    return text.toString();
  }

  private void arguments() {
    List<PositionalParamSpec> positional = spec.positionalParameters();
    List<OptionSpec> options = spec.options().stream().filter(option -> !option.hidden()).toList();
    if (positional.isEmpty() && options.isEmpty()) {
      return;
    }
    section("OPTIONS");
    for (PositionalParamSpec parameter : positional) {
      item(parameter.paramLabel(), parameter.description(), parameter.defaultValueString());
    }
    for (OptionSpec option : options) {
      String names = String.join(", ", option.names());
      item(
          option.arity().max() == 0 ? names : names + " " + option.paramLabel(),
          option.description(),
          option.defaultValueString());
    }
  }

  private void item(String name, String[] description, String standard) {
    line(".TP");
    raw("\\fB" + escaped(name) + "\\fR");
    for (String part : description) {
      plain(part.replace("${DEFAULT-VALUE}", standard).replace("%n", " "));
    }
  }

  private void subcommands() {
    if (spec.subcommands().isEmpty()) {
      return;
    }
    section("COMMANDS");
    for (Map.Entry<String, CommandLine> entry : spec.subcommands().entrySet()) {
      CommandSpec sub = entry.getValue().getCommandSpec();
      List<String> description = lines(sub.usageMessage().description());
      line(".TP");
      raw("\\fB" + escaped(name(sub)) + "\\fR(1)");
      plain(description.isEmpty() ? "" : description.get(0));
    }
  }

  private void exitStatuses() {
    Map<String, String> statuses = spec.usageMessage().exitCodeList();
    if (statuses.isEmpty()) {
      return;
    }
    section("EXIT STATUS");
    statuses.forEach(
        (status, meaning) -> {
          line(".TP");
          plain(status);
          plain(meaning);
        });
  }

  private void footer() {
    List<String> lines = lines(spec.usageMessage().footer());
    if (!lines.isEmpty()) {
      section("EXAMPLES");
      line(".nf");
      lines.forEach(this::plain);
      line(".fi");
    }
    section("SEE ALSO");
    CommandSpec parent = spec.parent();
    plain(parent == null ? "hdfs(1)" : name(parent) + "(1)");
  }

  private static List<String> lines(String[] parts) {
    List<String> lines = new ArrayList<>();
    for (String part : parts) {
      part.replace("%n", "\n").replace("%%", "%").lines().forEach(lines::add);
    }
    lines.removeIf(String::isBlank);
    return lines;
  }

  private void section(String name) {
    line(".SH " + name);
  }

  private void paragraph(String words) {
    line(".PP");
    plain(words);
  }

  private void plain(String words) {
    raw(escaped(words));
  }

  private void raw(String escaped) {
    // A dot or an apostrophe at the beginning would be taken for a request.
    line((escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" : "") + escaped);
  }

  private void line(String line) {
    text.append(line).append('\n');
  }

  private static String escaped(String words) {
    return words.replace("\\", "\\e").replace("-", "\\-");
  }
}
