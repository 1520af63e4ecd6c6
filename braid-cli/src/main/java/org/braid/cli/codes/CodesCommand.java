package org.braid.cli.codes;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The parent of the commands on codes. */
@Command(
    name = "codes",
    description = "Codes as they are: their properties, proofs, repairs and speed; no cluster.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ListCommand.class,
      ShowCommand.class,
      RepairCommand.class,
      VerifyCommand.class,
      CompareCommand.class,
      EncodeCommand.class,
      DecodeCommand.class,
      BenchCommand.class,
    },
    footer = {"", "Example: what a code costs and survives", "  braid codes show rs-6-3"})
public final class CodesCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command? see braid codes --help");
  }
}
