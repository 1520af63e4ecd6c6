package org.braid.cli.sim;

import org.braid.cli.command.Termination;
import org.braid.cli.experiment.RunCommand;
import org.braid.sim.workload.SimWorkloads;
import picocli.CommandLine.Command;

/** Runs an experiment on virtual time. */
@Command(
    name = "run",
    description = "Runs an experiment on virtual time: the same seed gives the same figures.",
    footer = {
      "",
      "Example: the repair of blocks of failed nodes, with 100 lost blocks only",
      "  braid sim run ppr/fig8 --set lost-blocks=100"
    })
final class SimRunCommand extends RunCommand {
  SimRunCommand(Termination termination) {
    super(SimWorkloads.all(), termination);
  }
}
