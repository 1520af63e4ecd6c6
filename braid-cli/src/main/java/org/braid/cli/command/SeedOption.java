package org.braid.cli.command;

import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import picocli.CommandLine.Option;

/** The seed of a command's random choices. */
public final class SeedOption {
  @Option(
      names = "--seed",
      defaultValue = "1",
      paramLabel = "SEED",
      description =
          "Seed of all random choices; the same seed repeats these, but not what threads and"
              + " daemons do meanwhile; default: ${DEFAULT-VALUE}.")
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
