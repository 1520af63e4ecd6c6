package org.braid.cli.place;

import org.braid.cli.command.CommandGroup;
import picocli.CommandLine.Command;

/** The parent of the commands on placement. */
@Command(
    name = "place",
    description =
        "Compares placement policies, shows the placement of a stripe and groups"
            + " blocks; needs no cluster.",
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
public final class PlaceCommand extends CommandGroup {}
