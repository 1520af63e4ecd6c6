package org.braid.cli.cluster.policy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.text.Json;
import org.braid.hdfs.api.Policies;
import org.braid.hdfs.policy.KnownReads;
import org.braid.hdfs.policy.Policy;
import org.braid.hdfs.policy.PolicyJson;
import picocli.CommandLine.Command;

@Command(
    name = "show",
    description = "Shows all settings of a policy.",
    footer = {"", "Example: what a policy takes and does", "  braid policy show cold"})
final class PolicyShowCommand extends PolicyNamedCommand {
  PolicyShowCommand(ClusterConnector connector) {
    super(connector);
  }

  private record Shown(Map<String, Object> policy) {}

  @Override
  protected CommandResult perform(Policies policies) throws IOException {
    Policy policy = policy(policies.current());
    Map<String, Object> fields = PolicyJson.shown(policy);
    List<String> lines = new ArrayList<>();
    fields.forEach((key, value) -> lines.add(key.replace('_', '-') + " " + value));
    ObjectNode object = Json.of(new Shown(fields)).put("ok", true);
    if (policy.asksForReads()) {
      KnownReads reads = policies.reads();
      lines.add(reads.sentence(policy.path()));
      withReads(object, reads, reads.sentence(policy.path()));
    }
    return new CommandResult(ExitStatus.DONE, object, lines);
  }
}
