package org.braid.cli.cluster.policy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.text.TextTable;
import org.braid.hdfs.api.Policies;
import org.braid.hdfs.policy.KnownReads;
import org.braid.hdfs.policy.Policy;
import org.braid.hdfs.policy.PolicyDocument;
import picocli.CommandLine.Command;

@Command(
    name = "list",
    description =
        "Lists the policies in their order, paused work, the source of the times of reads, and the"
            + " policies that need finer times than this source has.",
    footer = {"", "Example: the policies as JSON", "  braid policy list --json"})
final class PolicyListCommand extends PolicyCommand {
  PolicyListCommand(ClusterConnector connector) {
    super(connector);
  }

  @Override
  protected CommandResult perform(Policies policies) throws IOException {
    PolicyDocument document = policies.current();
    KnownReads reads = policies.reads();
    Instant now = Instant.now();
    List<String> lines = lines(document, now);
    if (!document.policies().askingForReads().isEmpty()) {
      lines.add(reads.sentence());
    }
    List<String> problems = document.policies().tooFine(reads);
    lines.addAll(problems);
    ObjectNode object = withReads(object(document, now), reads, reads.sentence());
    problems.forEach(object.putArray("problems")::add);
    return new CommandResult(ExitStatus.DONE, object, lines);
  }

  private static List<String> lines(PolicyDocument document, Instant now) {
    List<String> lines = new ArrayList<>();
    if (document.policies().policies().isEmpty()) {
      lines.add("there are no policies: braid policy add --help says how to make one");
    } else {
      TextTable table = new TextTable("#", "policy", "enabled", "does", "path", "if");
      int position = 1;
      for (Policy policy : document.policies().policies()) {
        table.row(
            position++,
            policy.name(),
            policy.enabled() ? "yes" : "no",
            policy.action().word()
                + policy.conversion().map(how -> " to " + how.stripeCode()).orElse(""),
            policy.path(),
            conditions(policy));
      }
      lines.addAll(table.lines());
    }
    document
        .pausesAt(now)
        .forEach((work, until) -> lines.add(work.word() + " is paused until " + moment(until)));
    return lines;
  }

  private static String conditions(Policy policy) {
    Map<String, String> settings = new LinkedHashMap<>(policy.settings());
    settings
        .keySet()
        .removeAll(
            List.of(
                "path",
                "code",
                "placement",
                "group",
                "max-per-rack",
                "target-racks",
                "parity-copies"));
    return settings.entrySet().stream()
        .map(setting -> setting.getKey() + " " + setting.getValue())
        .collect(Collectors.joining(", "));
  }
}
