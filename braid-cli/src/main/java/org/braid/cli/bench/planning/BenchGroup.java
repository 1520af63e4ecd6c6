package org.braid.cli.bench.planning;

import org.braid.cli.bench.namenode.NameNodeCommand;
import org.braid.cli.bench.reading.ReadCommand;
import org.braid.cli.command.CommandGroup;
import picocli.CommandLine.Command;

/** The parent of the benchmark commands. */
@Command(
    name = "bench",
    description =
        "Measures the speed of Braid and of what it replaces; braid codes bench"
            + " measures codes.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {PlanningCommand.class, ReadCommand.class, NameNodeCommand.class},
    footer = {"", "Example: planning, choice of targets, grouping", "  braid bench planning"})
public final class BenchGroup extends CommandGroup {}
