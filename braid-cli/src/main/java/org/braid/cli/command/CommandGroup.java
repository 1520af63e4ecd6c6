package org.braid.cli.command;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Base of commands that only have subcommands: without one, the usage is wrong. */
public abstract class CommandGroup implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init")
  private CommandSpec spec;

  @Override
  public final void run() {
    throw new ParameterException(spec.commandLine(), "which command?");
  }
}
