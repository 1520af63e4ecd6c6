package org.braid.experiment.run;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleSupplier;
import org.braid.experiment.Axis;
import org.braid.experiment.ComparedSystem;
import org.braid.experiment.DoubtfulException;
import org.braid.experiment.Experiment;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Measure;
import org.braid.experiment.RunProgress;
import org.braid.experiment.Trial;
import org.braid.experiment.Workload;
import org.braid.experiment.WorkloadSession;
import org.braid.experiment.WorkloadSettings;

/**
 * Runs all trials of an experiment. Passes results on row by row, so that a run that ends early
 * keeps them. A failed trial is marked and the next one follows; an interrupt ends the run after
 * the current trial.
 */
public final class ExperimentRunner {
  /** How often a doubtful trial is run. */
  static final int MOST_ATTEMPTS = 3;

  private final Environment environment;
  private final RunProgress progress;

  /**
   * The environment of a run.
   *
   * @param clock for the date of rows and the time that trials took
   * @param load of the machine, as {@link Row#load}
   * @param conditions of all rows
   */
  public record Environment(InstantSource clock, DoubleSupplier load, Conditions conditions) {}

  /** Takes rows as they come. */
  public interface Sink {
    /** Takes one. */
    void add(Row row) throws ExperimentException;
  }

  public ExperimentRunner(Environment environment, RunProgress progress) {
    this.environment = environment;
    this.progress = progress;
  }

  /**
   * Checks all settings of an experiment, as far as that is possible without running it.
   *
   * @throws ExperimentException with the first mistake
   */
  public static void check(Experiment experiment, Workload workload) throws ExperimentException {
    Columns.check(experiment, workload);
    for (Map<String, String> point : experiment.points()) {
      for (ComparedSystem system : experiment.systems()) {
        workload.check(experiment.settings(point, system));
      }
    }
  }

  /**
   * Runs an experiment.
   *
   * @param sink takes each row at once
   * @return all rows, and why the run ended early if it did; then the interrupt, if there was one,
   *     is cleared
   * @throws ExperimentException when no trial could be run, or the sink refused a row
   */
  public Results run(Experiment experiment, Workload workload, Sink sink)
      throws ExperimentException {
    check(experiment, workload);
    List<Trial> trials = TrialOrder.of(experiment, workload.order());
    List<Row> rows = new ArrayList<>();
    String problem = "";
    try (WorkloadSession session = workload.open(experiment, progress)) {
      problem = run(trials, workload, session, sink, rows);
    } catch (InterruptedException e) {
      problem = interrupted(rows.size(), trials.size());
    } catch (ExperimentException e) {
      if (rows.isEmpty()) {
        throw e;
      }
      problem += (problem.isEmpty() ? "" : "; then ") + e.getMessage();
    }
    Map<String, Map<String, String>> systems = new TreeMap<>();
    Results.systems(experiment)
        .forEach((name, settings) -> systems.put(name, WorkloadSettings.parse(settings)));
    return new Results(
        experiment.id(),
        experiment.engine(),
        experiment.axes().stream().map(Axis::name).toList(),
        workload.measures().stream().map(Measure::name).toList(),
        environment.conditions(),
        systems,
        trials.size(),
        rows,
        problem);
  }

  /** Runs trials until all are done or the run ends early; returns the reason, or an empty text. */
  private String run(
      List<Trial> trials, Workload workload, WorkloadSession session, Sink sink, List<Row> rows)
      throws ExperimentException {
    for (Trial trial : trials) {
      progress.at("trials", rows.size(), trials.size());
      // Also clears it, so that closing the session can wait for what it stops.
      if (Thread.interrupted()) {
        return interrupted(rows.size(), trials.size());
      }
      try {
        Row row = one(trial, rows.size() + 1, workload, session);
        rows.add(row);
        sink.add(row);
      } catch (InterruptedException e) {
        return interrupted(rows.size(), trials.size());
      } catch (EndOfRun e) {
        rows.add(e.row);
        sink.add(e.row);
        return e.row.note();
      }
    }
    progress.at("trials", rows.size(), trials.size());
    return "";
  }

  private static String interrupted(int done, int all) {
    return "interrupted after %d of %d trials".formatted(done, all);
  }

  private Row one(Trial trial, int number, Workload workload, WorkloadSession session)
      throws InterruptedException, EndOfRun {
    Instant start = environment.clock().instant();
    for (int attempt = 1; ; attempt++) {
      try {
        Map<String, Double> figures = figures(session.run(trial), workload);
        return row(trial, number, Row.State.OK, figures, attempt, "", start);
      } catch (DoubtfulException e) {
        String reason = String.valueOf(e.getMessage());
        if (attempt == MOST_ATTEMPTS) {
          progress.say(what(trial) + " is doubtful: " + reason);
          return doubtful(trial, number, e, workload, attempt, start);
        }
        progress.say("%s is run again: %s".formatted(what(trial), reason));
      } catch (ExperimentException e) {
        String reason = String.valueOf(e.getMessage());
        progress.say("%s failed: %s".formatted(what(trial), reason));
        Row row = row(trial, number, Row.State.FAILED, Map.of(), attempt, reason, start);
        if (e.endsRun()) {
          throw new EndOfRun(row);
        }
        return row;
      } catch (RuntimeException e) {
        String reason = "internal error, %s: %s".formatted(e.getClass().getName(), e.getMessage());
        progress.say("%s failed: %s".formatted(what(trial), reason));
        return row(trial, number, Row.State.FAILED, Map.of(), attempt, reason, start);
      }
    }
  }

  private Row doubtful(
      Trial trial,
      int number,
      DoubtfulException e,
      Workload workload,
      int attempts,
      Instant start) {
    String reason = String.valueOf(e.getMessage());
    try {
      Map<String, Double> figures = figures(e.figures(), workload);
      return row(trial, number, Row.State.DOUBTFUL, figures, attempts, reason, start);
    } catch (ExperimentException wrong) {
      String both = reason + "; " + wrong.getMessage();
      return row(trial, number, Row.State.FAILED, Map.of(), attempts, both, start);
    }
  }

  /** The figures in the order of the measures; refuses what no measure of the workload is. */
  private static Map<String, Double> figures(Map<String, Double> raw, Workload workload)
      throws ExperimentException {
    Map<String, Double> figures = new LinkedHashMap<>();
    for (Measure measure : workload.measures()) {
      Double value = raw.get(measure.name());
      if (value != null && !Double.isFinite(value)) {
        throw ExperimentException.trial("measured %s = %s".formatted(measure.name(), value));
      }
      if (value != null) {
        figures.put(measure.name(), value);
      }
    }
    if (figures.size() != raw.size() || figures.isEmpty()) {
      throw ExperimentException.trial(
          "measured %s, workload %s has %s"
              .formatted(
                  raw.keySet(),
                  workload.name(),
                  workload.measures().stream().map(Measure::name).toList()));
    }
    return figures;
  }

  private Row row(
      Trial trial,
      int number,
      Row.State state,
      Map<String, Double> figures,
      int attempts,
      String note,
      Instant start) {
    Instant end = environment.clock().instant();
    return new Row(
        number,
        trial.point(),
        trial.system(),
        trial.repetition(),
        trial.seed(),
        state,
        figures,
        attempts,
        note.lines().findFirst().orElse("").strip(),
        end.truncatedTo(ChronoUnit.SECONDS).toString(),
        Duration.between(start, end).toMillis() / 1e3,
        environment.load().getAsDouble());
  }

  private static String what(Trial trial) {
    StringBuilder text = new StringBuilder(trial.system());
    trial.point().forEach((axis, value) -> text.append(' ').append(axis).append('=').append(value));
    return text.append(String.format(Locale.ROOT, ", repetition %d,", trial.repetition() + 1))
        .toString();
  }

  /** Ends a run after a trial. */
  private static final class EndOfRun extends Exception {
    private static final long serialVersionUID = 1;

    private final transient Row row;

    EndOfRun(Row row) {
      super(row.note());
      this.row = row;
    }
  }
}
