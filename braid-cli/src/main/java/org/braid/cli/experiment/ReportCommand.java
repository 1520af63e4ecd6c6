package org.braid.cli.experiment;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.braid.cli.command.BaseCommand;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.command.ReportFile;
import org.braid.cli.report.EvidencePage;
import org.braid.cli.text.Json;
import org.braid.cli.text.TextTable;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Workloads;
import org.braid.experiment.file.Experiments;
import org.braid.experiment.judge.Evidence;
import org.braid.experiment.judge.Evidence.Defect;
import org.braid.experiment.judge.Evidence.Entry;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Gathers the results of all engines into one page and one Markdown table. */
@Command(
    name = "report",
    description = {
      "Gathers all results into an HTML page and a Markdown table. They show for"
          + " each claim the paper's figure, Braid's figure, whether the claim held, the"
          + " conditions, and the command that repeats the experiment.",
      "Reads result files and runs no experiment. The exit status is 1 when a file"
          + " cannot be read."
    },
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} --html evidence.html"})
public class ReportCommand extends BaseCommand {
  @Option(
      names = "--results",
      paramLabel = "DIR",
      description = "Directory of the result files; default: experiments/.")
  private @Nullable Path results;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "HTML file to write; default: results/evidence.html.")
  private @Nullable Path html;

  @Option(
      names = "--markdown",
      paramLabel = "FILE",
      description = "Markdown file to write; default: docs/EVIDENCE.md.")
  private @Nullable Path markdown;

  @Mixin private final HomeOption home = new HomeOption();

  private final List<Workloads> engines;

  /** The command over some engines. */
  public ReportCommand(List<Workloads> engines) {
    this.engines = List.copyOf(engines);
  }

  @Override
  protected final CommandResult perform() throws IOException, ExperimentException {
    Path directory = home.directory();
    Evidence evidence =
        Evidence.gather(
            directory,
            results != null ? results : directory.resolve(Experiments.DIRECTORY),
            engines);
    Path page = html != null ? html : directory.resolve("results/evidence.html").normalize();
    Path table = markdown != null ? markdown : directory.resolve("docs/EVIDENCE.md").normalize();
    write(page, EvidencePage.of(evidence));
    write(table, EvidencePage.markdown(evidence));
    List<String> lines = new ArrayList<>();
    TextTable claims = EvidencePage.claims(evidence);
    if (!claims.rows().isEmpty()) {
      lines.addAll(claims.lines());
      lines.add("");
    }
    TextTable problems = EvidencePage.problems(evidence);
    if (!problems.rows().isEmpty()) {
      lines.addAll(problems.lines());
      lines.add("");
    }
    lines.add(EvidencePage.summary(evidence));
    lines.add("wrote " + page);
    lines.add("wrote " + table);
    boolean broken = evidence.count(Defect.BROKEN) > 0;
    ObjectNode object = object(evidence).put("html", page.toString());
    object.put("markdown", table.toString()).put("ok", !broken);
    return new CommandResult(broken ? ExitStatus.FAILED : ExitStatus.DONE, object, lines);
  }

  private static ObjectNode object(Evidence evidence) {
    ObjectNode object = Json.object();
    ArrayNode experiments = object.putArray("experiments");
    for (Entry entry : evidence.entries()) {
      ObjectNode one =
          experiments
              .addObject()
              .put("experiment", entry.id())
              .put("engine", entry.engine())
              .put("problem", entry.problem());
      ArrayNode claims = one.putArray("claims");
      entry
          .findings()
          .ifPresent(f -> f.verdicts().forEach(v -> claims.add(ExperimentJson.claim(v))));
    }
    return object;
  }

  private static void write(Path file, String text) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    new ReportFile(file).write(text);
  }
}
