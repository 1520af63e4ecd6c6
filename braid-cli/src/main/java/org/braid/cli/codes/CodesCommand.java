package org.braid.cli.codes;

import org.braid.cli.command.CommandGroup;
import picocli.CommandLine.Command;

/** The parent of the commands on codes. */
@Command(
    name = "codes",
    description = "Codes without a cluster: their properties, proofs, repairs and speed.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      CodesListCommand.class,
      CodesShowCommand.class,
      CodesRepairCommand.class,
      CodesVerifyCommand.class,
      CodesCompareCommand.class,
      CodesEncodeCommand.class,
      CodesDecodeCommand.class,
      CodesBenchCommand.class,
    },
    footer = {"", "Example: what a code costs and survives", "  braid codes show rs-6-3"})
public final class CodesCommand extends CommandGroup {}
