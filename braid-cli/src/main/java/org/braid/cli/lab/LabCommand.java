package org.braid.cli.lab;

import org.braid.cli.command.BaseCommand;
import org.braid.cli.command.CommandResult;
import org.braid.experiment.ExperimentException;

/** The base of all commands on labs. */
abstract class LabCommand extends BaseCommand {
  /** Does the work. */
  abstract CommandResult work() throws ExperimentException, InterruptedException;

  @Override
  protected final CommandResult perform() throws ExperimentException {
    try {
      return work();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ExperimentException.failed("interrupted");
    }
  }
}
