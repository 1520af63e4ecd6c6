package org.braid.cli.command;

import org.braid.placement.site.SiteRequest;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The number of copies of each parity block. */
public final class ParityCopiesOption {
  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init")
  private CommandSpec command;

  private int copies = 1;

  @Option(
      names = "--parity-copies",
      defaultValue = "1",
      paramLabel = "N",
      converter = Converters.Count.class,
      description =
          "Number of copies of each parity block, 1 to 3, at different sites or else in"
              + " different racks: repairs find more blocks nearby but storage grows;"
              + " default: ${DEFAULT-VALUE}.")
  void copies(int number) {
    if (number > SiteRequest.MAX_PARITY_COPIES) {
      throw new ParameterException(
          command.commandLine(),
          "--parity-copies %d, needed are 1 to %d"
              .formatted(number, SiteRequest.MAX_PARITY_COPIES));
    }
    copies = number;
  }

  /** The number, from 1 to {@link SiteRequest#MAX_PARITY_COPIES}. */
  public int copies() {
    return copies;
  }
}
