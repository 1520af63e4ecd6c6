package org.braid.cli.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.braid.cli.text.TextTable;
import org.braid.experiment.Axis;
import org.braid.experiment.ComparedSystem;
import org.braid.experiment.Experiment;
import org.braid.experiment.Quantity;
import org.braid.experiment.Spread;
import org.braid.experiment.judge.FigureText;
import org.braid.experiment.judge.Findings;
import org.braid.experiment.judge.Verdict;

/** The tables of an experiment, for pages and terminals alike. */
public final class ExperimentTables {
  private ExperimentTables() {}

  /** A row a point and system: the median of each measure, the smallest and the largest figure. */
  public static TextTable medians(Findings findings) {
    Experiment experiment = findings.experiment();
    List<String> measures =
        findings.results().measures().stream()
            .filter(
                m -> findings.results().rows().stream().anyMatch(r -> r.figures().containsKey(m)))
            .toList();
    List<String> header = new ArrayList<>(experiment.axes().stream().map(Axis::name).toList());
    header.add("system");
    measures.forEach(measure -> header.add(">" + measure));
    TextTable table = new TextTable(header.toArray(String[]::new));
    for (Map<String, String> point : experiment.points()) {
      for (ComparedSystem system : experiment.systems()) {
        List<Object> cells = new ArrayList<>();
        experiment.axes().forEach(axis -> cells.add(point.getOrDefault(axis.name(), "")));
        cells.add(system.name());
        for (String measure : measures) {
          Quantity quantity = Quantity.value(measure);
          Optional<Spread> spread = findings.analysis().spread(quantity, system.name(), point);
          String text = spread.map(s -> findings.words().spread(quantity, s)).orElse("-");
          boolean doubtful = findings.analysis().isDoubtful(quantity, system.name(), point);
          cells.add(doubtful && spread.isPresent() ? text + " ?" : text);
        }
        table.row(cells.toArray());
      }
    }
    return table;
  }

  /** A row a claim. */
  public static TextTable claims(Findings findings) {
    TextTable table = new TextTable("claim", ">paper", ">ours", "goal", "held");
    for (Verdict verdict : findings.verdicts()) {
      table.row(
          verdict.claim().text(),
          findings.words().paper(verdict.claim()),
          findings.words().ours(verdict),
          verdict.claim().bound().text(),
          held(verdict));
    }
    return table;
  }

  /** Whether the claim held, with a remark. */
  public static String held(Verdict verdict) {
    String note = verdict.note();
    return FigureText.held(verdict) + (note.isEmpty() ? "" : " (" + note + ")");
  }
}
