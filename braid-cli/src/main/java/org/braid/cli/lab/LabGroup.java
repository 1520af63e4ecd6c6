package org.braid.cli.lab;

import java.util.List;
import org.braid.cli.Termination;
import org.braid.cli.experiment.ListCommand;
import org.braid.cli.experiment.ReportCommand;
import org.braid.cli.experiment.RunCommand;
import org.braid.lab.work.LabWorkloads;
import org.braid.sim.workload.SimWorkloads;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The parent of the commands on labs. */
@Command(
    name = "lab",
    description = {
      "Real HDFS daemons on an emulated network of sites, racks and limited links, on this machine.",
      "Everything is in namespaces of its own: whatever ends the lab, nothing of it stays."
    },
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Example: six racks of three DataNodes, uplinks oversubscribed 5 to 1",
      "  braid lab up --topology 6x3 --link 100mbit --oversubscription 5",
      "and an experiment with a lab of its own",
      "  braid lab run ppr/fig7a --code rs-12-4"
    })
public final class LabGroup implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  private LabGroup() {}

  /** The command with all below it. */
  public static CommandLine commandLine(Termination termination) {
    CommandLine line = new CommandLine(new LabGroup());
    line.addSubcommand(new UpCommand());
    line.addSubcommand(new DownCommand());
    line.addSubcommand(new StatusCommand());
    line.addSubcommand(new RunCommand(LabWorkloads.ALL, termination));
    line.addSubcommand(new ListCommand(LabWorkloads.ALL));
    line.addSubcommand(new ReportCommand(List.of(LabWorkloads.ALL, SimWorkloads.all())));
    return line;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command? see braid lab --help");
  }
}
