package org.braid.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.braid.cli.text.Json;
import org.braid.experiment.ExperimentException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What every command has: where results go, and in which form. */
public abstract class BaseCommand implements Callable<Integer> {
  static final String JSON = "--json";
  static final String VERBOSE = "--verbose";

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Option(names = JSON, description = "Print exactly one JSON object.")
  private boolean json;

  @Option(
      names = VERBOSE,
      description = "Print warnings, also Hadoop's, and the stack trace of an error.")
  private boolean verbose;

  /** Does the work. */
  protected abstract Outcome perform() throws IOException, ExperimentException;

  @Override
  public final Integer call() throws IOException, ExperimentException {
    Outcome outcome = perform();
    if (json) {
      out().println(Json.write(outcome.object()));
    } else {
      outcome.lines().forEach(out()::println);
    }
    out().flush();
    return outcome.status();
  }

  protected final boolean printsJson() {
    return json;
  }

  protected final boolean isVerbose() {
    return verbose;
  }

  protected final PrintWriter out() {
    return spec.commandLine().getOut();
  }

  protected final PrintWriter err() {
    return spec.commandLine().getErr();
  }

  /** The error of a wrong command line. */
  protected final ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
