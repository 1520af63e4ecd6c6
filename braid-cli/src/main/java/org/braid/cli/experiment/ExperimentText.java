package org.braid.cli.experiment;

import java.util.ArrayList;
import java.util.List;
import org.braid.cli.report.ExperimentTables;
import org.braid.experiment.Experiment;
import org.braid.experiment.judge.Findings;
import org.braid.experiment.run.Row;

/** The result of a run as text. */
final class ExperimentText {
  private ExperimentText() {}

  static List<String> lines(Findings findings) {
    Experiment experiment = findings.experiment();
    List<String> lines = new ArrayList<>();
    String source = experiment.source().isEmpty() ? "" : " (" + experiment.source() + ")";
    lines.add(experiment.id() + ": " + experiment.title() + source);
    lines.add(findings.conditions());
    lines.add("");
    lines.addAll(ExperimentTables.medians(findings).lines());
    if (findings.results().count(Row.State.DOUBTFUL) > 0) {
      lines.add("? measured under other conditions than the experiment asks for");
    }
    if (!findings.verdicts().isEmpty()) {
      lines.add("");
      lines.addAll(ExperimentTables.claims(findings).lines());
    }
    lines.add("");
    lines.add(findings.conclusion());
    return lines;
  }
}
