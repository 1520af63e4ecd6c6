package org.braid.cli.place;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The parent of the commands on placement. */
@Command(
    name = "place",
    description = "Where blocks go: policies compared, a stripe shown, blocks grouped; no cluster.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ListCommand.class,
      ShowCommand.class,
      CompareCommand.class,
      GroupCommand.class,
    },
    footer = {
      "",
      "Example: a stripe from its replicas to its final places",
      "  braid place show rs-6-3 --topology 6x3"
    })
public final class PlaceCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command? see braid place --help");
  }
}
