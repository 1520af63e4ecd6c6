package org.braid.cli.experiment;

import java.io.PrintWriter;
import org.braid.cli.command.ProgressBars;
import org.braid.experiment.RunProgress;

/** Progress bars on a terminal; messages always go to standard error. */
public final class ConsoleProgress implements RunProgress, AutoCloseable {
  private final ProgressBars bars = new ProgressBars();
  private final PrintWriter err;

  /** Prints messages to a writer. */
  public ConsoleProgress(PrintWriter err) {
    this.err = err;
  }

  @Override
  public void at(String phase, long done, long total) {
    bars.at(phase, done, total);
  }

  @Override
  public void say(String line) {
    err.println(line);
    err.flush();
  }

  @Override
  public void close() {
    bars.close();
  }
}
