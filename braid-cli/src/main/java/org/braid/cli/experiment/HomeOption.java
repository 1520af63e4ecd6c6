package org.braid.cli.experiment;

import java.nio.file.Path;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Workloads;
import org.braid.experiment.file.Experiments;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The directory of the experiment files. */
public final class HomeOption {
  /** Set by the launcher to the directory it lies in. */
  static final String PROPERTY = "braid.home";

  @Option(
      names = "--home",
      paramLabel = "DIR",
      description = {
        "The directory that contains experiments/; default: the directory of the"
            + " braid program, else the current directory."
      })
  private @Nullable Path home;

  Path directory() {
    return home != null ? home : Path.of(System.getProperty(PROPERTY, "."));
  }

  Experiments of(Workloads workloads) throws ExperimentException {
    return new Experiments(directory(), workloads);
  }
}
