package org.braid.cli.command;

import org.braid.code.ErasureCode;
import picocli.CommandLine.Parameters;

/** The code that the first argument names. */
public final class CodeArgument {
  @Parameters(
      index = "0",
      paramLabel = "CODE",
      description = "The code, as in rs-6-3; braid codes list has all.")
  @SuppressWarnings("NullAway.Init")
  private ErasureCode code;

  /** The code that is named. */
  public ErasureCode code() {
    return code;
  }
}
