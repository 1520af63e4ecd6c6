package org.braid.cli.bench.planning;

import org.braid.cli.bench.reading.ReadCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The parent of the benchmarks that are about no single code; no cluster. */
@Command(
    name = "bench",
    description = "Measures how fast Braid is beside its peers; codes have braid codes bench.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {PlanningCommand.class, ReadCommand.class},
    footer = {"", "Example: plans, targets and groups", "  braid bench planning"})
public final class BenchGroup implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "which command? see braid bench --help");
  }
}
