package org.braid.experiment.judge;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.braid.experiment.Experiment;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.WorkloadSettings;
import org.braid.experiment.Workloads;
import org.braid.experiment.file.Experiments;
import org.braid.experiment.judge.Verdict.Held;
import org.braid.experiment.run.Results;
import org.braid.experiment.run.ResultsReader;

/**
 * The judged results of all experiments.
 *
 * @param entries by engine, then by name
 */
public record Evidence(List<Entry> entries) {
  /**
   * One experiment on one engine.
   *
   * @param findings nothing when there are no results that can be read
   * @param problem what is missing, partial, stale or wrong; empty when nothing is
   * @param defect how bad that is
   */
  public record Entry(
      String id, String engine, Optional<Findings> findings, String problem, Defect defect) {}

  /** How bad a problem is. */
  public enum Defect {
    NONE,
    /** Results are missing, partial or of other settings: run it again. */
    INCOMPLETE,
    /** A file cannot be read. */
    BROKEN
  }

  public Evidence {
    entries = List.copyOf(entries);
  }

  /**
   * Reads all results.
   *
   * @param home the directory that has the experiments
   * @param results the directory below which the results are, often that of the experiments
   * @throws ExperimentException when there are no experiments
   */
  public static Evidence gather(Path home, Path results, List<Workloads> engines)
      throws ExperimentException {
    List<Entry> entries = new ArrayList<>();
    for (Workloads workloads : engines) {
      for (Experiments.Listed listed : new Experiments(home, workloads).all()) {
        entries.add(
            listed.experiment().isEmpty()
                ? broken(listed.id(), workloads, listed.problem())
                : entry(listed.experiment().get(), results, workloads));
      }
    }
    return new Evidence(entries);
  }

  private static Entry broken(String id, Workloads workloads, String problem) {
    return new Entry(id, workloads.engine(), Optional.empty(), problem, Defect.BROKEN);
  }

  private static Entry entry(Experiment experiment, Path directory, Workloads workloads) {
    Optional<Results> results;
    try {
      results = ResultsReader.find(directory, experiment);
    } catch (ExperimentException e) {
      return broken(experiment.id(), workloads, String.valueOf(e.getMessage()));
    }
    if (results.isEmpty()) {
      String command = "./braid %s run %s".formatted(experiment.engine(), experiment.id());
      return new Entry(
          experiment.id(),
          workloads.engine(),
          Optional.empty(),
          "no results yet: %s --out %s".formatted(command, Experiments.DIRECTORY),
          Defect.INCOMPLETE);
    }
    Findings findings =
        Findings.of(
            experiment,
            workloads.named(experiment.workload()).orElseThrow().measures(),
            results.get());
    String problem = problem(experiment, results.get());
    return new Entry(
        experiment.id(),
        workloads.engine(),
        Optional.of(findings),
        problem,
        problem.isEmpty() ? Defect.NONE : Defect.INCOMPLETE);
  }

  private static String problem(Experiment experiment, Results results) {
    List<String> problems = new ArrayList<>();
    if (!results.shortfall().isEmpty()) {
      problems.add(results.shortfall());
    }
    String options = results.conditions().options();
    if (!options.isEmpty()) {
      problems.add("run with " + options);
    } else {
      String changed = changed(experiment, results);
      if (!changed.isEmpty()) {
        problems.add("the file has changed since: " + changed);
      }
      if (results.planned() != experiment.trials()) {
        problems.add(
            "of %d trials, the file now has %d".formatted(results.planned(), experiment.trials()));
      }
    }
    return String.join("; ", problems);
  }

  /** Settings that results were made with and that the file has otherwise now. */
  private static String changed(Experiment experiment, Results results) {
    Map<String, WorkloadSettings.Value> now = experiment.settings().values();
    return WorkloadSettings.parse(results.conditions().settings()).entrySet().stream()
        .filter(
            e -> now.containsKey(e.getKey()) && !now.get(e.getKey()).text().equals(e.getValue()))
        .map(e -> "%s was %s".formatted(e.getKey(), e.getValue()))
        .collect(Collectors.joining(", "));
  }

  /** How many claims ended in some way. */
  public long count(Held held) {
    return entries.stream()
        .flatMap(entry -> entry.findings().stream())
        .mapToLong(findings -> findings.count(held))
        .sum();
  }

  /** How many experiments have a defect. */
  public long count(Defect defect) {
    return entries.stream().filter(entry -> entry.defect() == defect).count();
  }
}
