package org.braid.cli.command;

import java.util.OptionalInt;
import org.braid.code.ErasureCode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The code of stripes, and how many of their blocks a rack may hold. */
public final class CodeOptions {
  @Option(
      names = "--code",
      defaultValue = "rs-6-3",
      paramLabel = "CODE",
      description =
          "The code of the stripes, as in rs-10-4; braid codes compare helps to choose; default:"
              + " ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init")
  private ErasureCode code;

  @Option(
      names = "--max-per-rack",
      paramLabel = "C",
      converter = Converters.Count.class,
      description =
          "Largest number of blocks of a stripe in a rack: a smaller number survives"
              + " the loss of more racks, a larger one needs fewer racks; default: the"
              + " smallest that fits.")
  private @Nullable Integer perRack;

  /** The code. */
  public ErasureCode code() {
    return code;
  }

  /** Most blocks of a stripe in a rack; empty for the fewest that fit. */
  public OptionalInt perRack() {
    return perRack == null ? OptionalInt.empty() : OptionalInt.of(perRack);
  }
}
