package org.braid.cli.command;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of all commands that work on stripes. */
public final class StripeWorkOptions {
  @Option(
      names = "--parallel",
      defaultValue = "4",
      paramLabel = "N",
      converter = Converters.Count.class,
      description =
          "Number of stripes processed at the same time; more stripes finish sooner and"
              + " load the cluster more; default: ${DEFAULT-VALUE}.")
  private int parallel;

  @Option(
      names = "--slice",
      defaultValue = "256k",
      paramLabel = "SIZE",
      converter = Converters.Slice.class,
      description =
          "Bytes of a slice, which nodes forward at a time, a multiple of 512; small"
              + " slices fill a chain sooner, large slices cost less CPU; default:"
              + " ${DEFAULT-VALUE}.")
  private int slice;

  @Mixin private final SeedOption seed = new SeedOption();

  public int parallel() {
    return parallel;
  }

  public int slice() {
    return slice;
  }

  public long seed() {
    return seed.seed();
  }
}
