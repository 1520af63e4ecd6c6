package org.braid.cli;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How work on stripes is done; for all commands that do any. */
final class WorkOptions {
  @Option(
      names = "--parallel",
      defaultValue = "4",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Stripes at once; default: ${DEFAULT-VALUE}.")
  private int parallel;

  @Option(
      names = "--slice",
      defaultValue = "256k",
      paramLabel = "SIZE",
      converter = Converters.Slice.class,
      description = "Bytes that workers handle at a time; default: ${DEFAULT-VALUE}.")
  private int slice;

  @Mixin
  @SuppressWarnings("NullAway.Init")
  private SeedOption seed;

  int parallel() {
    return parallel;
  }

  int slice() {
    return slice;
  }

  long seed() {
    return seed.seed();
  }
}
