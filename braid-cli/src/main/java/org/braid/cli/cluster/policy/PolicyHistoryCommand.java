package org.braid.cli.cluster.policy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.text.Json;
import org.braid.cli.text.TextTable;
import org.braid.hdfs.api.Policies;
import org.braid.hdfs.policy.PolicyDocument;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

@Command(
    name = "history",
    description =
        "Lists all changes of the policies: when they were made, by whom, and what changed.",
    footer = {"", "Example: all former policies as JSON", "  braid policy history --json"})
final class PolicyHistoryCommand extends PolicyCommand {
  PolicyHistoryCommand(ClusterConnector connector) {
    super(connector);
  }

  private record Entry(String file, @Nullable Shown policies, String problem) {}

  private record History(List<Entry> changes) {}

  @Override
  protected CommandResult perform(Policies policies) throws IOException {
    List<Entry> entries = new ArrayList<>();
    TextTable table = new TextTable("change", "at", "user", "what");
    for (Policies.Change change : policies.history()) {
      Optional<PolicyDocument> document = change.document();
      entries.add(
          new Entry(
              change.file(),
              document.map(then -> Shown.of(then, then.at())).orElse(null),
              change.problem()));
      if (document.isPresent()) {
        PolicyDocument then = document.get();
        table.row(then.revision(), moment(then.at()), then.user(), then.change());
      } else {
        table.row(change.file(), "", "", change.problem());
      }
    }
    return new CommandResult(
        ExitStatus.DONE, Json.of(new History(entries)).put("ok", true), table.lines());
  }
}
