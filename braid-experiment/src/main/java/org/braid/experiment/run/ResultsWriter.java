package org.braid.experiment.run;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.braid.experiment.Axis;
import org.braid.experiment.Experiment;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Measure;
import org.braid.experiment.Workload;
import org.braid.experiment.text.FileFailures;

/**
 * Writes results row by row, so that a killed process loses none. A complete run is named {@code
 * fig7a.lab.csv}. A running or partial one is named {@code fig7a.lab.partial.csv}, and the complete
 * results of an earlier run stay.
 */
public final class ResultsWriter implements ExperimentRunner.Sink, AutoCloseable {
  private final Path whole;
  private final Path partial;
  private final BufferedWriter out;
  private final List<String> axes;
  private final List<String> measures;
  private final String engine;
  private final String id;
  private final int planned;
  private final Conditions conditions;
  private final Map<String, String> systems;

  /**
   * Starts a file.
   *
   * @param directory below which results stand as {@code <experiment>.<engine>.csv}
   * @throws ExperimentException when nothing can be written there
   */
  public ResultsWriter(
      Path directory, Experiment experiment, Workload workload, Conditions conditions)
      throws ExperimentException {
    this.whole = whole(directory, experiment.id(), experiment.engine());
    this.partial = partial(directory, experiment.id(), experiment.engine());
    this.axes = experiment.axes().stream().map(Axis::name).toList();
    this.measures = workload.measures().stream().map(Measure::name).toList();
    this.engine = experiment.engine();
    this.id = experiment.id();
    this.planned = experiment.trials();
    this.conditions = conditions;
    this.systems = Results.systems(experiment);
    try {
      Path parent = partial.toAbsolutePath().getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      this.out = Files.newBufferedWriter(partial, StandardCharsets.UTF_8);
      out.write(CsvTable.line(Columns.header(axes, measures)));
      out.flush();
    } catch (IOException e) {
      throw ExperimentException.refused(
          "results cannot be written to %s (%s): name another directory with --out"
              .formatted(partial, FileFailures.reason(e)));
    }
  }

  /** Where whole results of an experiment stand. */
  public static Path whole(Path directory, String id, String engine) {
    return directory.resolve(id + "." + engine + ".csv");
  }

  /** Where results of a run stand that is under way or was cut short. */
  public static Path partial(Path directory, String id, String engine) {
    return directory.resolve(id + "." + engine + ".partial.csv");
  }

  @Override
  public void add(Row row) throws ExperimentException {
    List<String> cells = new ArrayList<>();
    cells.addAll(List.of(id, engine, text(row.trial()), text(planned), row.system()));
    cells.addAll(List.of(text(row.repetition()), row.state().name().toLowerCase(Locale.ROOT)));
    axes.forEach(axis -> cells.add(row.point().getOrDefault(axis, "")));
    for (String measure : measures) {
      Double value = row.figures().get(measure);
      cells.add(value == null ? "" : value.toString());
    }
    cells.addAll(List.of(text(row.attempts()), row.note(), text(row.seed()), row.date()));
    cells.add(String.format(Locale.ROOT, "%.3f", row.took()));
    cells.add(String.format(Locale.ROOT, "%.2f", row.load()));
    cells.addAll(List.of(conditions.commit(), conditions.cpu(), text(conditions.cores())));
    cells.addAll(List.of(conditions.kernel(), conditions.os(), conditions.jvm()));
    cells.addAll(List.of(conditions.options(), conditions.settings()));
    cells.add(systems.getOrDefault(row.system(), ""));
    try {
      out.write(CsvTable.line(cells));
      out.flush();
    } catch (IOException e) {
      throw ExperimentException.failed(
          "trial %d cannot be written to %s (%s): free some space; the rows before it are kept"
              .formatted(row.trial(), partial, FileFailures.reason(e)),
          e);
    }
  }

  /**
   * Ends the file.
   *
   * @return where it is
   */
  public Path finish(Results results) throws ExperimentException {
    close();
    if (!results.isComplete()) {
      return partial;
    }
    try {
      return Files.move(partial, whole, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw ExperimentException.failed(
          "%s cannot be renamed to %s (%s): do it by hand"
              .formatted(partial, whole, FileFailures.reason(e)),
          e);
    }
  }

  @Override
  public void close() throws ExperimentException {
    try {
      out.close();
    } catch (IOException e) {
      throw ExperimentException.failed(
          "%s cannot be written (%s)".formatted(partial, FileFailures.reason(e)), e);
    }
  }

  private static String text(long number) {
    return Long.toString(number);
  }
}
