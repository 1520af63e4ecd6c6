package org.braid.cli.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.braid.cli.text.TextTable;
import org.braid.experiment.Claim;
import org.braid.experiment.judge.Evidence;
import org.braid.experiment.judge.Evidence.Defect;
import org.braid.experiment.judge.Evidence.Entry;
import org.braid.experiment.judge.Findings;
import org.braid.experiment.judge.Verdict;
import org.braid.experiment.judge.Verdict.Held;

/** All results in one place: a page with charts, and a Markdown table. */
public final class EvidencePage {
  private static final String CAUSES = "Not held, and why";
  private static final String NOT_COMPARED = "Figures that are not compared, and why";

  private EvidencePage() {}

  /**
   * The page.
   *
   * @throws IOException when its style sheet cannot be read
   */
  public static String of(Evidence evidence) throws IOException {
    Markup page = Frame.open("Evidence");
    page.element("h1", "Evidence");
    page.element(
        "p",
        "What is claimed, what the papers found and what was measured here; made from the files of"
            + " results alone.");
    page.element("p", summary(evidence), "class", "verdict");
    Frame.section(page, "Claims", "");
    Frame.table(page, claims(evidence));
    TextTable causes = causes(evidence);
    if (!causes.rows().isEmpty()) {
      Frame.section(page, CAUSES, "");
      Frame.table(page, causes);
    }
    if (!evidence.notCompared().isEmpty()) {
      Frame.section(page, NOT_COMPARED, "");
      Frame.table(page, notCompared(evidence));
    }
    if (evidence.entries().stream().anyMatch(entry -> !entry.problem().isEmpty())) {
      Frame.section(page, "Missing or partial", "");
      Frame.table(page, problems(evidence));
    }
    for (Entry entry : evidence.entries()) {
      if (entry.findings().isPresent()) {
        one(page, entry, entry.findings().get());
      }
    }
    return Frame.close(page);
  }

  private static void one(Markup page, Entry entry, Findings findings) {
    page.open("h2", "id", anchor(entry)).text(findings.experiment().title()).close("h2");
    page.element("p", ExperimentPage.about(findings.experiment()));
    ExperimentPage.verdict(page, findings);
    if (!entry.problem().isEmpty()) {
      page.element("p", entry.problem(), "class", "bad");
    }
    ExperimentPage.charts(page, findings);
    if (!findings.verdicts().isEmpty()) {
      Frame.table(page, ExperimentTables.claims(findings));
    }
    page.open("details").element("summary", "Medians");
    Frame.table(page, ExperimentTables.medians(findings));
    page.close("details");
    page.element("p", findings.conditions());
    page.open("pre").text(findings.command()).close("pre");
  }

  private static String anchor(Entry entry) {
    return entry.engine() + "-" + entry.id().replace('/', '-');
  }

  /** The number of claims that held, and the missing results. */
  public static String summary(Evidence evidence) {
    List<String> parts = new ArrayList<>();
    parts.add(evidence.count(Held.HELD) + " claims held");
    parts.add(evidence.count(Held.NOT_HELD) + " did not");
    parts.add(evidence.count(Held.NOT_RUN) + " were not run");
    parts.add(evidence.count(Defect.INCOMPLETE) + " experiments lack results or parts of them");
    if (evidence.count(Defect.BROKEN) > 0) {
      parts.add(evidence.count(Defect.BROKEN) + " have a file that cannot be read");
    }
    return String.join(", ", parts);
  }

  /** A row a claim of all experiments. */
  public static TextTable claims(Evidence evidence) {
    TextTable table =
        new TextTable("experiment", "claim", ">paper", ">ours", "goal", "held", "repeat");
    for (Entry entry : evidence.entries()) {
      entry
          .findings()
          .ifPresent(findings -> findings.verdicts().forEach(v -> row(table, findings, v)));
    }
    return table;
  }

  private static void row(TextTable table, Findings findings, Verdict verdict) {
    table.row(
        findings.experiment().id(),
        verdict.claim().text(),
        findings.words().paper(verdict.claim()),
        findings.words().ours(verdict),
        verdict.claim().bound().text(),
        ExperimentTables.held(verdict),
        findings.command());
  }

  /** A row for each claim that did not hold. */
  public static TextTable causes(Evidence evidence) {
    TextTable table = new TextTable("experiment", "claim", ">ours", "goal", "why", "shown by");
    for (Entry entry : evidence.entries()) {
      entry
          .findings()
          .ifPresent(
              findings ->
                  findings.verdicts().stream()
                      .filter(verdict -> verdict.held() == Held.NOT_HELD)
                      .forEach(verdict -> cause(table, findings, verdict)));
    }
    return table;
  }

  private static void cause(TextTable table, Findings findings, Verdict verdict) {
    Optional<Claim.Cause> cause = verdict.claim().cause();
    table.row(
        findings.experiment().id() + " on " + findings.experiment().engine(),
        verdict.claim().text(),
        findings.words().ours(verdict),
        verdict.claim().bound().text(),
        cause.map(Claim.Cause::sentence).orElse("not explained"),
        cause
            .map(known -> known.shownBy().isEmpty() ? findings.command() : known.shownBy())
            .orElse("-"));
  }

  /** A row for figures of a paper that no experiment is about. */
  private static TextTable notCompared(Evidence evidence) {
    TextTable table = new TextTable("figures", "why");
    evidence.notCompared().forEach(one -> table.row(one.figures(), one.why()));
    return table;
  }

  /** A row for each experiment with missing results. */
  public static TextTable problems(Evidence evidence) {
    TextTable table = new TextTable("experiment", "engine", "what");
    evidence.entries().stream()
        .filter(entry -> !entry.problem().isEmpty())
        .forEach(entry -> table.row(entry.id(), entry.engine(), entry.problem()));
    return table;
  }

  /** The same as text for a repository. */
  public static String markdown(Evidence evidence) {
    StringBuilder text = new StringBuilder();
    text.append("# Evidence\n\n");
    text.append("Made by `./braid lab report` from the files of results below `experiments/`: ");
    text.append(summary(evidence)).append(".\n\n");
    table(text, claims(evidence));
    TextTable causes = causes(evidence);
    if (!causes.rows().isEmpty()) {
      text.append("\n## ").append(CAUSES).append("\n\n");
      table(text, causes);
    }
    if (!evidence.notCompared().isEmpty()) {
      text.append("\n## ").append(NOT_COMPARED).append("\n\n");
      table(text, notCompared(evidence));
    }
    TextTable problems = problems(evidence);
    if (!problems.rows().isEmpty()) {
      text.append("\n## Missing or partial\n\n");
      table(text, problems);
    }
    text.append("\n## Conditions\n\n");
    TextTable conditions = new TextTable("experiment", "engine", "conditions");
    for (Entry entry : evidence.entries()) {
      entry.findings().ifPresent(f -> conditions.row(entry.id(), entry.engine(), f.conditions()));
    }
    table(text, conditions);
    return text.toString();
  }

  private static void table(StringBuilder text, TextTable table) {
    line(text, table.header());
    List<String> rules = new ArrayList<>();
    for (int c = 0; c < table.header().size(); c++) {
      rules.add(table.isRight(c) ? "---:" : "---");
    }
    line(text, rules);
    table.rows().forEach(row -> line(text, row));
  }

  private static void line(StringBuilder text, List<String> cells) {
    text.append('|');
    cells.forEach(cell -> text.append(' ').append(cell.replace("|", "\\|")).append(" |"));
    text.append('\n');
  }
}
