package org.braid.cli.sim;

import org.braid.cli.experiment.ListCommand;
import org.braid.sim.workload.SimWorkloads;
import picocli.CommandLine.Command;

/** Lists the simulator's experiments and workloads. */
@Command(
    name = "list",
    description = "Lists the simulator's experiments, or its workloads with their settings.",
    footer = {"", "Example: all settings", "  braid sim list --workloads"})
final class SimListCommand extends ListCommand {
  SimListCommand() {
    super(SimWorkloads.all());
  }
}
