package org.braid.cli;

import org.braid.code.ErasureCode;
import picocli.CommandLine.Parameters;

/** The code as the first word of a command line. */
public final class CodeArgument {
  @Parameters(index = "0", paramLabel = "CODE", description = "The code, for example rs-6-3.")
  @SuppressWarnings("NullAway.Init")
  private ErasureCode code;

  /** The code that is named. */
  public ErasureCode code() {
    return code;
  }
}
