package org.braid.cli.plan;

import org.braid.cli.command.CommandGroup;
import picocli.CommandLine.Command;

/** The parent of the commands on plans. */
@Command(
    name = "plan",
    description =
        "Plans repairs and encodings and predicts their traffic and time; needs no" + " cluster.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {PlanRepairCommand.class, PlanEncodeCommand.class, PlanRecoverCommand.class},
    footer = {
      "",
      "Example: the binomial tree of a repair on 16 nodes",
      "  braid plan repair rs-12-4 --lost 0 --topology 16x1 --shape ppr"
    })
public final class PlanCommand extends CommandGroup {}
