package org.braid.cli.cluster.policy;

import org.braid.cli.cluster.base.ClusterConnector;
import org.braid.cli.command.CommandGroup;
import org.braid.cli.command.Termination;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The parent of the commands on policies. */
@Command(
    name = "policy",
    description = {
      "Rules by which the daemon converts files, and restores those that are used again.",
      "Rules have an order; the first that takes a file wins. Rules that would convert and restore"
          + " a file by turns are refused. Only the superuser changes them; the history keeps the"
          + " former rules."
    },
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Example: convert what nobody has read for 30 days, at night",
      "  braid policy add convert cold --path '/logs/**' --unread-for 30d --code rs-6-3 --window"
          + " 22:00-06:00 --zone Europe/Berlin",
      "and see what becomes of a file",
      "  braid policy explain /logs/2026/a.gz"
    })
public final class PolicyGroup extends CommandGroup {
  private PolicyGroup() {}

  /** Adds the commands on policies, and those that pause and resume work, to the program. */
  public static void addTo(CommandLine line, ClusterConnector connector, Termination termination) {
    line.addSubcommand(group(connector, termination));
    line.addSubcommand(new PauseCommand(connector));
    line.addSubcommand(new ResumeCommand(connector));
  }

  private static CommandLine group(ClusterConnector connector, Termination termination) {
    CommandLine line = new CommandLine(new PolicyGroup());
    line.addSubcommand(new PolicyListCommand(connector));
    line.addSubcommand(new PolicyShowCommand(connector));
    line.addSubcommand(new PolicyAddCommand(connector));
    line.addSubcommand(new PolicyChangeCommands.Remove(connector));
    line.addSubcommand(new PolicyChangeCommands.Enable(connector));
    line.addSubcommand(new PolicyChangeCommands.Disable(connector));
    line.addSubcommand(new PolicyExplainCommand(connector));
    line.addSubcommand(new PolicyHistoryCommand(connector));
    line.addSubcommand(new ImportReadsCommand(connector, termination));
    return line;
  }
}
