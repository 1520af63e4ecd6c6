package org.braid.cli.place;

import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import org.braid.cli.command.Converters;
import org.braid.cli.command.SeedOption;
import org.braid.code.ErasureCode;
import org.braid.code.derive.Tolerance;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.replication.ReplicaLayout;
import org.braid.placement.rule.StripeLimits;
import org.braid.placement.rule.StripeRules;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of replicas, limits and seed that the place commands share. */
final class PlaceOptions {
  @Option(
      names = "--replicas",
      defaultValue = "3",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Number of replicas of a block; default: ${DEFAULT-VALUE}.")
  private int replicas;

  @Option(
      names = "--layout",
      defaultValue = "hdfs",
      paramLabel = "LAYOUT",
      description =
          "How the replicas of a block spread over racks: hdfs, two-racks or"
              + " all-different; default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init")
  private ReplicaLayout layout;

  @Option(
      names = "--max-per-rack",
      paramLabel = "C",
      converter = Converters.Count.class,
      description =
          "Largest number of blocks of a stripe in a rack; default: the smallest" + " possible.")
  private int perRack;

  @Option(
      names = "--target-racks",
      paramLabel = "R",
      converter = Converters.Count.class,
      description = "Number of random racks that hold all blocks of a stripe; default: all racks.")
  private int targetRacks;

  @Mixin private final SeedOption seed = new SeedOption();

  int replicas() {
    return replicas;
  }

  ReplicaLayout layout() {
    return layout;
  }

  /** The limit of blocks of a stripe in a rack, if the command line has one. */
  OptionalInt perRack() {
    return perRack == 0 ? OptionalInt.empty() : OptionalInt.of(perRack);
  }

  long seed() {
    return seed.seed();
  }

  RandomGenerator random() {
    return seed.random();
  }

  /** The limits of a stripe; by default the smallest possible number of blocks a rack. */
  StripeLimits limits(ErasureCode code, Topology topology, RandomGenerator random) {
    int most = perRack;
    if (most == 0 && targetRacks > 0) {
      most = (code.n() + targetRacks - 1) / targetRacks;
    } else if (most == 0 && !StripeRules.columns(code).isEmpty()) {
      most = code.n(); // the grid says what a rack holds
    } else if (most == 0) {
      most =
          StripeLimits.smallest(
                  code.name(), code.n(), Tolerance.counted(code), EligibleNodes.all(topology))
              .perRack();
    }
    StripeLimits limits =
        targetRacks == 0
            ? StripeLimits.perRack(most)
            : StripeLimits.randomTargets(EligibleNodes.all(topology), targetRacks, most, random);
    limits.check(code.name(), code.n(), EligibleNodes.all(topology));
    return limits;
  }
}
