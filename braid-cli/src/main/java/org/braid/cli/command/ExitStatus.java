package org.braid.cli.command;

/** The exit statuses of {@code braid}; there are no others. */
public final class ExitStatus {
  /** Everything asked for is done. */
  public static final int DONE = 0;

  /** The work failed, or a comparison did not hold. */
  public static final int FAILED = 1;

  /** The command line was wrong. */
  public static final int USAGE = 2;

  /** Refused: a promise could not be kept, so nothing was changed. */
  public static final int REFUSED = 3;

  private ExitStatus() {}
}
