package org.braid.cli.cluster;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.braid.cli.command.Converters;
import org.braid.hdfs.api.RepairPolicy;
import org.braid.plan.schedule.RepairScheduler;
import org.braid.plan.shape.RepairPlanner;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How lost blocks are rebuilt, and how the repairs of many stripes are scheduled. */
final class RepairOptions {
  @Option(
      names = "--shape",
      defaultValue = "chain",
      paramLabel = "SHAPE",
      description =
          "Shape of repairs: chain, from node to node, which loads links least; ppr,"
              + " a binomial tree; racktree, sums inside racks first; star, all to one node, which"
              + " moves fewest bytes for codes with sub-blocks; auto, the fastest by"
              + " braid.network.*; default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init")
  private RepairPlanner shape;

  @Option(
      names = "--scheduler",
      paramLabel = "NAME",
      description =
          "How helpers and new homes are chosen: mppr, by weights of load and cached blocks;"
              + " together, for all stripes at once, so that links fill evenly; arrival, for each"
              + " stripe alone; default: braid.repair.scheduler, mppr.")
  private @Nullable RepairScheduler scheduler;

  @Option(
      names = "--per-node",
      paramLabel = "N",
      converter = Converters.Count.class,
      description =
          "Largest number of concurrent repairs on a node; a smaller number leaves more"
              + " bandwidth to users; default: braid.repair.per-node, 4.")
  private @Nullable Integer perNode;

  @Option(
      names = "--per-uplink",
      paramLabel = "N",
      converter = Converters.Count.class,
      description =
          "Largest number of concurrent repairs across an uplink; a smaller number"
              + " leaves more bandwidth to users; default: braid.repair.per-uplink, 32.")
  private @Nullable Integer perUplink;

  @Option(
      names = "--delay",
      paramLabel = "TIME",
      converter = Converters.Duration.class,
      description =
          "Time to wait before the blocks of a silent node are rebuilt, as in 15m, so that restarts"
              + " and short outages start no repairs. Blocks that readers wait for, and stripes"
              + " with no block to spare, are repaired at once; default: braid.repair.delay, else"
              + " 15m for the daemon and 0s for repair.")
  private @Nullable Long delay;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = Converters.Duration.class,
      description =
          "Time after which a slow repair is planned again with other helpers, as in"
              + " 5m; default: braid.repair.timeout, 10m.")
  private @Nullable Long timeout;

  String shape() {
    return shape.name();
  }

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
