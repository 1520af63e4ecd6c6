package org.braid.cli.place;

import java.util.OptionalInt;
import java.util.random.RandomGenerator;
import org.braid.cli.Converters;
import org.braid.cli.SeedOption;
import org.braid.code.ErasureCode;
import org.braid.code.derive.Tolerance;
import org.braid.placement.ReplicaLayout;
import org.braid.placement.StripeLimits;
import org.braid.placement.Topology;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options that several commands share. */
final class PlaceOptions {
  @Option(
      names = "--replicas",
      defaultValue = "3",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Replicas of a block; default: ${DEFAULT-VALUE}.")
  private int replicas;

  @Option(
      names = "--layout",
      defaultValue = "hdfs",
      paramLabel = "LAYOUT",
      description =
          "Racks of a block's replicas: hdfs, two-racks or all-different; default:"
              + " ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init")
  private ReplicaLayout layout;

  @Option(
      names = "--max-per-rack",
      paramLabel = "C",
      converter = Converters.Count.class,
      description = "Blocks of a stripe in a rack at most; default: as few as fit.")
  private int perRack;

  @Option(
      names = "--target-racks",
      paramLabel = "R",
      converter = Converters.Count.class,
      description = "Random racks that hold all blocks of a stripe; default: all racks.")
  private int targetRacks;

  @Mixin
  @SuppressWarnings("NullAway.Init")
  private SeedOption seed;

  int replicas() {
    return replicas;
  }

  ReplicaLayout layout() {
    return layout;
  }

  /** Blocks of a stripe in a rack, where the command line has a number. */
  OptionalInt perRack() {
    return perRack == 0 ? OptionalInt.empty() : OptionalInt.of(perRack);
  }

  long seed() {
    return seed.seed();
  }

  RandomGenerator random() {
    return seed.random();
  }

  /** The limits of a stripe; the fewest blocks a rack that fit unless told otherwise. */
  StripeLimits limits(ErasureCode code, Topology topology, RandomGenerator random) {
    int most = perRack;
    if (most == 0 && targetRacks > 0) {
      most = (code.n() + targetRacks - 1) / targetRacks;
    } else if (most == 0 && code.racks().isPresent()) {
      most = code.n(); // the grid says what a rack holds
    } else if (most == 0) {
      most =
          StripeLimits.smallest(
                  code.name(), code.n(), Tolerance.counted(code), topology, node -> true)
              .perRack();
    }
    StripeLimits limits =
        targetRacks == 0
            ? StripeLimits.perRack(most)
            : StripeLimits.randomTargets(topology, node -> true, targetRacks, most, random);
    limits.check(code.name(), code.n(), topology, node -> true);
    return limits;
  }
}
