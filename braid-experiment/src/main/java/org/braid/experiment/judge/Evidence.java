package org.braid.experiment.judge;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.braid.experiment.Experiment;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Workloads;
import org.braid.experiment.file.Experiments;
import org.braid.experiment.file.NotCompared;
import org.braid.experiment.judge.Verdict.Held;
import org.braid.experiment.run.Changes;
import org.braid.experiment.run.Results;
import org.braid.experiment.run.ResultsReader;

/**
 * The judged results of all experiments.
 *
 * @param entries by engine, then by name
 * @param notCompared figures of papers that no experiment is about
 */
public record Evidence(List<Entry> entries, List<NotCompared> notCompared) {
  /**
   * One experiment on one engine.
   *
   * @param findings empty when there are no readable results
   * @param problem why results are missing, partial, stale or wrong, or a later partial run; empty
   *     for none
   * @param defect the severity of the problem
   */
  public record Entry(
      String id, String engine, Optional<Findings> findings, String problem, Defect defect) {}

  /** How bad a problem is. */
  public enum Defect {
    NONE,
    /**
     * Results are missing, partial, of another experiment than the file is now, or a later run is
     * partial: run it again.
     */
    INCOMPLETE,
    /** A file cannot be read. */
    BROKEN
  }

  public Evidence {
    entries = List.copyOf(entries);
    notCompared = List.copyOf(notCompared);
  }

  /**
   * Reads all results.
   *
   * @param home the directory that has the experiments
   * @param results the directory below which the results are, often that of the experiments
   * @throws ExperimentException when there are no experiments, or what is not compared cannot be
   *     read
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
    return new Evidence(entries, NotCompared.read(home));
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
    String problem =
        Stream.of(problem(experiment, results.get()), later(experiment, directory))
            .filter(text -> !text.isEmpty())
            .collect(Collectors.joining("; "));
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
      String changed = String.join(", ", Changes.since(results, experiment));
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

  /** A run that has not ended, or not well, after the one that is judged; empty when none is. */
  private static String later(Experiment experiment, Path directory) {
    String state;
    try {
      Optional<Results> later = ResultsReader.later(directory, experiment);
      if (later.isEmpty()) {
        return "";
      }
      String shortfall = later.get().shortfall();
      state = shortfall.isEmpty() ? "partial: it has not ended" : shortfall;
    } catch (ExperimentException e) {
      state = "partial: " + e.getMessage();
    }
    return "a later run is %s; what is told is of the whole run before it".formatted(state);
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
