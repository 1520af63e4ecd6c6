package org.braid.cli.plan;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The parent of the commands on plans. */
@Command(
    name = "plan",
    description = "Plans of repairs and encodings: what moves where, and how long; no cluster.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {PlanRepairCommand.class, PlanEncodeCommand.class, PlanRecoverCommand.class},
    footer = {
      "",
      "Example: the binomial tree of a repair on 16 nodes",
      "  braid plan repair rs-12-4 --lost 0 --topology 16x1 --shape ppr"
    })
public final class PlanCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command? see braid plan --help");
  }
}
