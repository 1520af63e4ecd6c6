package org.braid.cli.experiment;

import java.io.PrintWriter;
import org.braid.cli.Bars;
import org.braid.experiment.Progress;

/** Bars where there is a terminal; what is said always goes to standard error. */
public final class ConsoleProgress implements Progress, AutoCloseable {
  private final Bars bars = new Bars();
  private final PrintWriter err;

  /** Says what is said to a writer. */
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
