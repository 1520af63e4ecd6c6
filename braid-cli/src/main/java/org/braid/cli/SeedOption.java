package org.braid.cli;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import picocli.CommandLine.Option;

/** The seed of whatever a command draws. */
public final class SeedOption {
  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "SEED",
      description = "Seed of everything random; default: ${DEFAULT-VALUE}.")
  private long seed;

  /** The seed. */
  public long seed() {
    return seed;
  }

  /** A new generator that starts with the seed. */
  public RandomGenerator random() {
    return RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
  }
}
