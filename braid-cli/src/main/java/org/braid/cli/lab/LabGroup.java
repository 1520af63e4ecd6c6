package org.braid.cli.lab;

import java.util.List;
import org.braid.cli.command.CommandGroup;
import org.braid.cli.command.Termination;
import org.braid.cli.experiment.ListCommand;
import org.braid.cli.experiment.ReportCommand;
import org.braid.cli.experiment.RunCommand;
import org.braid.lab.work.LabWorkloads;
import org.braid.sim.workload.SimWorkloads;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The parent of the commands on labs. */
@Command(
    name = "lab",
    description = {
      "Runs real HDFS daemons on an emulated network of sites, racks and limited links on this"
          + " machine.",
      "A lab lives in namespaces of its own: however it ends, no process, mount or device remains."
    },
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Example: six racks of three DataNodes, uplinks oversubscribed 5 to 1",
      "  braid lab up --topology 6x3 --link 100mbit --oversubscription 5",
      "and an experiment with a lab of its own",
      "  braid lab run ppr/fig7a --code rs-12-4"
    })
public final class LabGroup extends CommandGroup {
  private LabGroup() {}

  /** The command with all below it. */
  public static CommandLine commandLine(Termination termination) {
    CommandLine line = new CommandLine(new LabGroup());
    line.addSubcommand(new UpCommand());
    line.addSubcommand(new DownCommand());
    line.addSubcommand(new StatusCommand());
    line.addSubcommand(new ExecCommand(termination));
    line.addSubcommand(new JobCommand());
    line.addSubcommand(new RunCommand(LabWorkloads.ALL, termination));
    line.addSubcommand(new ChaosCommand(termination));
    line.addSubcommand(new InstallDrillCommand(termination));
    line.addSubcommand(new ListCommand(LabWorkloads.ALL));
    line.addSubcommand(new ReportCommand(List.of(LabWorkloads.ALL, SimWorkloads.all())));
    return line;
  }
}
