package org.braid.cli.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.braid.experiment.Experiment;
import org.braid.experiment.chart.Graph;
import org.braid.experiment.judge.Findings;
import org.braid.experiment.judge.Verdict.Held;

/** The page of one run of an experiment: conclusion, charts, claims, medians, conditions. */
public final class ExperimentPage {
  private ExperimentPage() {}

  /**
   * The page.
   *
   * @throws IOException when its style sheet cannot be read
   */
  public static String of(Findings findings) throws IOException {
    Experiment experiment = findings.experiment();
    Markup page = Frame.open(experiment.id() + " on " + experiment.engine());
    page.element("h1", experiment.title());
    page.element("p", about(experiment));
    verdict(page, findings);
    charts(page, findings);
    if (!findings.verdicts().isEmpty()) {
      Frame.section(page, "Claims", "");
      Frame.table(page, ExperimentTables.claims(findings));
    }
    Frame.section(page, "Medians", "In brackets the smallest and the largest figure.");
    Frame.table(page, ExperimentTables.medians(findings));
    Frame.section(page, "Conditions", findings.conditions());
    page.open("pre").text(findings.command()).close("pre");
    return Frame.close(page);
  }

  /** The charts as files of their own, which follow the viewer's light or dark scheme. */
  public static List<String> charts(Findings findings) throws IOException {
    List<String> files = new ArrayList<>();
    for (Graph graph : Graph.of(findings)) {
      files.add(
          GraphDrawing.file(graph, v -> findings.words().figure(graph.quantity(), v), Frame.style())
              .toString());
    }
    return files;
  }

  static String about(Experiment experiment) {
    StringBuilder text = new StringBuilder(experiment.id()).append(" on ");
    text.append(experiment.engine());
    if (!experiment.source().isEmpty()) {
      text.append(", after ").append(experiment.source());
    }
    text.append('.');
    return experiment.about().isEmpty() ? text.toString() : text + " " + experiment.about();
  }

  static void verdict(Markup page, Findings findings) {
    boolean bad = findings.count(Held.NOT_HELD) > 0 || !findings.results().isComplete();
    page.element("p", findings.conclusion(), "class", bad ? "verdict bad" : "verdict good");
  }

  static void charts(Markup page, Findings findings) {
    for (Graph graph : Graph.of(findings)) {
      page.open("div", "class", "wide")
          .add(GraphDrawing.of(graph, v -> findings.words().figure(graph.quantity(), v)))
          .close("div");
    }
  }
}
