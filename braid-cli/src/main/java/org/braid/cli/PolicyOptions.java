package org.braid.cli;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.braid.hdfs.api.RepairPolicy;
import org.braid.plan.manage.RepairScheduler;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How the repairs of many stripes are scheduled. */
final class PolicyOptions {
  @Option(
      names = "--scheduler",
      paramLabel = "NAME",
      description = {
        "Who chooses helpers and new homes: mppr, by weights of load and memory; together, all"
            + " stripes against each other; arrival, each stripe for itself; default:"
            + " braid.repair.scheduler, mppr."
      })
  private @Nullable RepairScheduler scheduler;

  @Option(
      names = "--per-node",
      paramLabel = "N",
      converter = Converters.Count.class,
      description =
          "Repairs at once in which one node takes part; default: braid.repair.per-node, 4.")
  private @Nullable Integer perNode;

  @Option(
      names = "--per-uplink",
      paramLabel = "N",
      converter = Converters.Count.class,
      description =
          "Repairs at once that cross one rack's uplink; default: braid.repair.per-uplink, 32.")
  private @Nullable Integer perUplink;

  @Option(
      names = "--delay",
      paramLabel = "TIME",
      converter = Converters.Duration.class,
      description =
          "How long a silent node may come back before its blocks are rebuilt, as in 15m; stripes"
              + " with no block to spare do not wait; default: braid.repair.delay, 0s.")
  private @Nullable Long delay;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = Converters.Duration.class,
      description =
          "How long a repair may take before it is planned anew with other helpers; default:"
              + " braid.repair.timeout, 10m.")
  private @Nullable Long timeout;

  RepairPolicy policy() {
    return new RepairPolicy(
        Optional.ofNullable(scheduler).map(RepairScheduler::name),
        optional(perNode),
        optional(perUplink),
        optional(delay),
        optional(timeout));
  }

  private static OptionalInt optional(@Nullable Integer value) {
    return value == null ? OptionalInt.empty() : OptionalInt.of(value);
  }

  private static OptionalLong optional(@Nullable Long value) {
    return value == null ? OptionalLong.empty() : OptionalLong.of(value);
  }
}
