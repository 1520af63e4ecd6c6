package org.braid.cli.command;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.braid.cli.text.Json;
import org.braid.experiment.ExperimentException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Base of all commands: prints the result as text or as one JSON object. */
public abstract class BaseCommand implements Callable<Integer> {
  public static final String JSON = "--json";
  public static final String VERBOSE = "--verbose";

  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Option(names = JSON, description = "Print the result as one JSON object, for scripts.")
  private boolean json;

  @Option(
      names = VERBOSE,
      description = "Print Hadoop's and Braid's warnings, and the stack trace of an error.")
  private boolean verbose;

  /** Does the work. */
  protected abstract CommandResult perform() throws IOException, ExperimentException;

  @Override
  public final Integer call() throws IOException, ExperimentException {
    CommandResult outcome = perform();
    if (json) {
      Json.write(outcome.object(), out());
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

  /** The program, the groups and the command by their names, with a separator between two. */
  protected final String nameBy(String separator) {
    return spec.qualifiedName(separator);
  }

  /** The error of a wrong command line. */
  protected final ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
