package org.braid.cli.cluster.policy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.ExitStatus;
import org.braid.hdfs.api.Policies;
import org.braid.hdfs.policy.Action;
import org.braid.hdfs.policy.KnownReads;
import org.braid.hdfs.policy.Policy;
import org.braid.hdfs.policy.PolicyDocument;
import org.braid.hdfs.policy.PolicySet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "add",
    description = {
      "Adds a policy after the others, or before one of them.",
      "convert stores the files that it takes by a code, restore replicates them again, leave keeps"
          + " later policies off them. A policy is refused if it and another one would convert and"
          + " restore the same file by turns. If one restores files that were read within a day,"
          + " another may convert files that were not read for two days. A policy whose code does"
          + " not fit the nodes and racks is added with a warning, and converts nothing until the"
          + " code fits."
    },
    footer = {
      "",
      "Example: convert old files, and replicate again what is read",
      "  braid policy add convert cold --path '/logs/**' --unread-for 30d --min-size 1m --code"
          + " rs-6-3",
      "  braid policy add restore hot --path '/logs/**' --read-within 1d --first"
    })
final class PolicyAddCommand extends PolicyCommand {
  @Parameters(
      index = "0",
      paramLabel = "ACTION",
      description = "What is done with files: convert, restore or leave.")
  @SuppressWarnings("NullAway.Init")
  private Action action;

  @Parameters(
      index = "1",
      paramLabel = "NAME",
      description = "Its name: small letters, digits and hyphens.")
  @SuppressWarnings("NullAway.Init")
  private String name;

  /** The position of the new policy. */
  private static final class Place {
    @Option(names = "--first", description = "Puts it before all others.")
    private boolean first;

    @Option(names = "--before", paramLabel = "NAME", description = "Puts it before another policy.")
    private @Nullable String before;
  }

  @ArgGroup private @Nullable Place place;

  @Option(names = "--disabled", description = "Adds it without enabling it.")
  private boolean disabled;

  private final Map<String, String> settings = new LinkedHashMap<>();

  /** The settings of the command line. */
  @SuppressWarnings("NullAway.Init")
  private Policy policy;

  PolicyAddCommand(ClusterConnector connector) {
    super(connector);
  }

  @Option(
      names = "--path",
      required = true,
      paramLabel = "PATTERN",
      description =
          "Files: a file, or a directory with all below it; or a pattern with * and ? in"
              + " names, ** for any directories, [a-z] and {a,b}. Policies that convert leave"
              + " directories alone whose names begin with . or _, unless the path writes that"
              + " character, as in /logs/_old/**.")
  void path(String value) {
    settings.put("path", value);
  }

  @Option(
      names = "--owner",
      paramLabel = "USERS",
      description = "Only files of these users, separated by commas.")
  void owner(String value) {
    settings.put("owner", value);
  }

  @Option(
      names = "--min-size",
      paramLabel = "SIZE",
      description = "Smallest size of the files, as in 64m.")
  void minSize(String value) {
    settings.put("min-size", value);
  }

  @Option(
      names = "--max-size",
      paramLabel = "SIZE",
      description = "Largest size of the files, as in 1g.")
  void maxSize(String value) {
    settings.put("max-size", value);
  }

  @Option(
      names = "--min-blocks",
      paramLabel = "N",
      description = "Smallest number of blocks of the files.")
  void minBlocks(String value) {
    settings.put("min-blocks", value);
  }

  @Option(
      names = "--max-blocks",
      paramLabel = "N",
      description = "Largest number of blocks of the files.")
  void maxBlocks(String value) {
    settings.put("max-blocks", value);
  }

  @Option(
      names = "--older-than",
      paramLabel = "TIME",
      description = "Only files that were not modified within this time, as in 30d.")
  void olderThan(String value) {
    settings.put("older-than", value);
  }

  @Option(
      names = "--modified-within",
      paramLabel = "TIME",
      description = "Only files that were modified within this time, as in 12h.")
  void modifiedWithin(String value) {
    settings.put("modified-within", value);
  }

  @Option(
      names = "--unread-for",
      paramLabel = "TIME",
      description =
          "Only files that were neither read nor modified within this time, as in 30d. HDFS records"
              + " reads with the precision that dfs.namenode.accesstime.precision of the NameNode"
              + " sets, by default one hour. Where it is 0, braid policy import-reads takes the"
              + " reads from audit logs.")
  void unreadFor(String value) {
    settings.put("unread-for", value);
  }

  @Option(
      names = "--read-within",
      paramLabel = "TIME",
      description = "Only files that were read or modified within this time, as in 1d.")
  void readWithin(String value) {
    settings.put("read-within", value);
  }

  @Option(
      names = "--code",
      paramLabel = "CODE",
      description = "The code that files are converted to, as in rs-6-3.")
  void code(String value) {
    settings.put("code", value);
  }

  @Option(
      names = "--placement",
      paramLabel = "WHICH",
      description = "Placement, as in braid convert: racks, even or code-aware.")
  void placement(String value) {
    settings.put("placement", value);
  }

  @Option(
      names = "--group",
      paramLabel = "HOW",
      description = "Grouping, as in braid convert: auto, order or retroactive.")
  void group(String value) {
    settings.put("group", value);
  }

  @Option(
      names = "--max-per-rack",
      paramLabel = "C",
      description = "Largest number of blocks of a stripe in a rack, as in braid convert.")
  void maxPerRack(String value) {
    settings.put("max-per-rack", value);
  }

  @Option(
      names = "--target-racks",
      paramLabel = "R",
      description = "Largest number of racks of a stripe, as in braid convert.")
  void targetRacks(String value) {
    settings.put("target-racks", value);
  }

  @Option(
      names = "--parity-copies",
      paramLabel = "N",
      description = "Number of copies of each parity block, as in braid convert.")
  void parityCopies(String value) {
    settings.put("parity-copies", value);
  }

  @Option(
      names = "--window",
      paramLabel = "FROM-TO",
      description = "Works only at these hours of each day, as in 22:00-06:00.")
  void window(String value) {
    settings.put("window", value);
  }

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description = "The time zone of --window, as in Europe/Berlin; default: UTC.")
  void zone(String value) {
    settings.put("zone", value);
  }

  @Override
  protected void checkArguments() {
    policy = made(() -> Policy.of(name, !disabled, action, settings));
  }

  @Override
  protected CommandResult perform(Policies policies) throws IOException {
    Optional<String> misfit = policies.misfit(policy);
    PolicyDocument after =
        policies.change(
            "policy %s is added".formatted(name),
            before -> before.with(before.policies().with(policy, position(before.policies()))));
    warn(misfit);
    CommandResult result = changed(after);
    if (!policy.asksForReads()) {
      return result;
    }
    KnownReads reads = policies.reads();
    String sentence = reads.sentence(policy.path());
    List<String> lines = new ArrayList<>(result.lines());
    if (reads.since(policy.path()).isEmpty()) {
      lines.add(sentence);
    }
    return new CommandResult(ExitStatus.DONE, withReads(result.object(), reads, sentence), lines);
  }

  private OptionalInt position(PolicySet policies) {
    Place chosen = place;
    if (chosen == null) {
      return OptionalInt.empty();
    }
    String before = chosen.before;
    return chosen.first || before == null
        ? OptionalInt.of(0)
        : OptionalInt.of(policies.position(before));
  }
}
