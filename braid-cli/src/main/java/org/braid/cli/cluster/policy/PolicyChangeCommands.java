package org.braid.cli.cluster.policy;

import java.io.IOException;
import java.util.Optional;
import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.cli.command.CommandResult;
import org.braid.hdfs.api.Policies;
import org.braid.hdfs.policy.Policy;
import org.braid.hdfs.policy.PolicyDocument;
import picocli.CommandLine.Command;

/** The commands that change a policy that is there. */
final class PolicyChangeCommands {
  private PolicyChangeCommands() {}

  /** Removes a policy. */
  @Command(
      name = "remove",
      description =
          "Removes a policy. Files stay as they are; the history keeps the policy's settings.",
      footer = {"", "Example: a policy that is needed no more", "  braid policy remove cold"})
  static final class Remove extends PolicyNamedCommand {
    Remove(ClusterConnector connector) {
      super(connector);
    }

    @Override
    protected CommandResult perform(Policies policies) throws IOException {
      return change(
          policies, policies.current(), "removed", policy -> false, all -> all.without(name()));
    }
  }

  /** Enables a policy. */
  @Command(
      name = "enable",
      description =
          "Enables a disabled policy, unless it and another one would convert and restore the same"
              + " file by turns.",
      footer = {"", "Example: a policy works again", "  braid policy enable cold"})
  static final class Enable extends PolicyNamedCommand {
    Enable(ClusterConnector connector) {
      super(connector);
    }

    @Override
    protected CommandResult perform(Policies policies) throws IOException {
      PolicyDocument current = policies.current();
      Optional<String> misfit = policies.misfit(policy(current).enable());
      CommandResult result =
          change(
              policies,
              current,
              "enabled",
              Policy::enabled,
              all -> all.changing(name(), Policy::enable));
      warn(misfit);
      return result;
    }
  }

  /** Disables a policy. */
  @Command(
      name = "disable",
      description = "Disables a policy: it takes no file until it is enabled.",
      footer = {"", "Example: a policy rests", "  braid policy disable cold"})
  static final class Disable extends PolicyNamedCommand {
    Disable(ClusterConnector connector) {
      super(connector);
    }

    @Override
    protected CommandResult perform(Policies policies) throws IOException {
      return change(
          policies,
          policies.current(),
          "disabled",
          policy -> !policy.enabled(),
          all -> all.changing(name(), Policy::disable));
    }
  }
}
