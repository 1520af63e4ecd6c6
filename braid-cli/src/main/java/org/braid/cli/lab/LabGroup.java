package org.braid.cli.lab;

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
      "  braid lab up --topology 6x3 --link 100mbit --oversubscription 5"
    })
public final class LabGroup implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  private LabGroup() {}

  /** The command with all below it. */
  public static CommandLine commandLine() {
    CommandLine line = new CommandLine(new LabGroup());
    line.addSubcommand(new UpCommand());
    line.addSubcommand(new DownCommand());
    line.addSubcommand(new StatusCommand());
    return line;
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command? see braid lab --help");
  }
}
