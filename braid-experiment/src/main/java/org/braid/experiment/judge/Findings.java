package org.braid.experiment.judge;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.braid.experiment.Experiment;
import org.braid.experiment.Measure;
import org.braid.experiment.judge.Verdict.Held;
import org.braid.experiment.run.Results;
import org.braid.experiment.run.Row;

/**
 * The judged results of an experiment.
 *
 * @param words how its figures are written
 * @param command that repeats it
 */
public record Findings(
    Experiment experiment,
    Results results,
    Analysis analysis,
    List<Verdict> verdicts,
    FigureText words,
    String command) {
  public Findings {
    verdicts = List.copyOf(verdicts);
  }

  /**
   * Judges results.
   *
   * @param measures of the experiment's workload
   */
  public static Findings of(Experiment experiment, List<Measure> measures, Results results) {
    Analysis analysis = new Analysis(results);
    String options = results.conditions().options();
    return new Findings(
        experiment,
        results,
        analysis,
        Verdict.of(experiment, analysis),
        new FigureText(experiment, measures),
        "./braid %s run %s%s"
            .formatted(
                experiment.engine(), experiment.id(), options.isEmpty() ? "" : " " + options));
  }

  /** Whether all was measured and nothing that is claimed failed. */
  public boolean ok() {
    return results.isComplete() && verdicts.stream().noneMatch(v -> v.held() == Held.NOT_HELD);
  }

  /** How many claims ended in some way. */
  public long count(Held held) {
    return verdicts.stream().filter(verdict -> verdict.held() == held).count();
  }

  /** One line that says how it ended. */
  public String conclusion() {
    StringBuilder text = new StringBuilder();
    if (verdicts.isEmpty()) {
      text.append("nothing is claimed");
    } else {
      text.append("%d of %d claims held".formatted(count(Held.HELD), verdicts.size()));
      append(text, count(Held.NOT_HELD), "did not");
      append(text, count(Held.NOT_RUN), "not run");
    }
    String shortfall = results.shortfall();
    return shortfall.isEmpty() ? text.toString() : text.append("; ").append(shortfall).toString();
  }

  private static void append(StringBuilder text, long count, String what) {
    if (count > 0) {
      text.append(", ").append(count).append(' ').append(what);
    }
  }

  /** The conditions of the results, as one line. */
  public String conditions() {
    var c = results.conditions();
    return "%s, %d cores; %s; kernel %s; commit %s; %s; seed %d; %d repetitions%s"
        .formatted(
            c.cpu(),
            c.cores(),
            c.os(),
            c.kernel(),
            c.commit(),
            dates(),
            experiment.seed(),
            results.rows().stream().mapToInt(Row::repetition).max().orElse(-1) + 1,
            c.settings().isEmpty() ? "" : "; " + c.settings());
  }

  private String dates() {
    Set<String> days =
        results.rows().stream()
            .map(row -> row.date().substring(0, Math.min(10, row.date().length())))
            .collect(Collectors.toCollection(TreeSet::new));
    return days.isEmpty() ? "no date" : String.join(", ", days);
  }
}
