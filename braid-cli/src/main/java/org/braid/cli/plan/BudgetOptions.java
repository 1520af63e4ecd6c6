package org.braid.cli.plan;

import org.braid.cli.Converters;
import picocli.CommandLine.Option;

/** How many repairs run at once. */
public final class BudgetOptions {
  @Option(
      names = "--per-node",
      defaultValue = "4",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Repairs at once in which one node takes part; default: ${DEFAULT-VALUE}.")
  private int perNode;

  @Option(
      names = "--per-uplink",
      defaultValue = "32",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Repairs at once that cross one rack's uplink; default: ${DEFAULT-VALUE}.")
  private int perUplink;

  /** Repairs at once in which one node takes part. */
  public int perNode() {
    return perNode;
  }

  /** Repairs at once that cross one rack's uplink. */
  public int perUplink() {
    return perUplink;
  }
}
