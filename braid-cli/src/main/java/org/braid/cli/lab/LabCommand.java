package org.braid.cli.lab;

import org.braid.cli.BaseCommand;
import org.braid.cli.Outcome;
import org.braid.experiment.ExperimentException;

/** What all commands on labs do alike. */
abstract class LabCommand extends BaseCommand {
  /** Does the work. */
  abstract Outcome work() throws ExperimentException, InterruptedException;

  @Override
  protected final Outcome perform() throws ExperimentException {
    try {
      return work();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ExperimentException.failed("interrupted");
    }
  }
}
