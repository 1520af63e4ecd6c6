package org.braid.cli.sim;

import org.braid.cli.command.CommandGroup;
import org.braid.cli.command.Termination;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The parent of the simulator's commands. */
@Command(
    name = "sim",
    description =
        "Simulates clusters: runs the product's placement, planners and repair"
            + " manager on virtual time, and estimates durability.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Example: encoding-aware replication on 400 nodes, thirty times",
      "  braid sim run ear/exp6a"
    })
public final class SimGroup extends CommandGroup {
  private SimGroup() {}

  /** The command with all below it. */
  public static CommandLine commandLine(Termination termination) {
    CommandLine line = new CommandLine(new SimGroup());
    line.addSubcommand(new SimRunCommand(termination));
    line.addSubcommand(new SimListCommand());
    line.addSubcommand(new DurabilityCommand());
    return line;
  }
}
