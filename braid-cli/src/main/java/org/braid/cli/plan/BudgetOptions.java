package org.braid.cli.plan;

import org.braid.cli.command.Converters;
import picocli.CommandLine.Option;

/** Budgets of concurrent repairs. */
public final class BudgetOptions {
  @Option(
      names = "--per-node",
      defaultValue = "4",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Largest number of concurrent repairs of a node; default: ${DEFAULT-VALUE}.")
  private int perNode;

  @Option(
      names = "--per-uplink",
      defaultValue = "32",
      paramLabel = "N",
      converter = Converters.Count.class,
      description =
          "Largest number of concurrent repairs across an uplink; default:" + " ${DEFAULT-VALUE}.")
  private int perUplink;

  /** Largest number of concurrent repairs of a node. */
  public int perNode() {
    return perNode;
  }

  /** Largest number of concurrent repairs across an uplink. */
  public int perUplink() {
    return perUplink;
  }
}
