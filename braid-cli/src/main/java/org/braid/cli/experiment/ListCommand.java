package org.braid.cli.experiment;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.braid.cli.command.BaseCommand;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.text.Json;
import org.braid.cli.text.TextTable;
import org.braid.experiment.Experiment;
import org.braid.experiment.ExperimentException;
import org.braid.experiment.Measure;
import org.braid.experiment.Workload;
import org.braid.experiment.Workloads;
import org.braid.experiment.file.Experiments;
import org.braid.experiment.file.Experiments.Listed;
import org.braid.experiment.run.ResultsWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists the experiments or the workloads of the lab or the simulator. */
@Command(
    name = "list",
    description = {
      "Lists the experiments with their numbers of trials and claims, and whether they have"
          + " results.",
      "The exit status is 1 when the file of an experiment is invalid."
    },
    footer = {"", "Example:", "  ${COMMAND-FULL-NAME} --workloads"})
public class ListCommand extends BaseCommand {
  @Option(
      names = "--workloads",
      description = "List the workloads with their settings, defaults and measures instead.")
  private boolean ofWorkloads;

  @Mixin private final HomeOption home = new HomeOption();

  private final Workloads workloads;

  /** The command of an engine. */
  public ListCommand(Workloads workloads) {
    this.workloads = workloads;
  }

  @Override
  protected final CommandResult perform() throws ExperimentException {
    return ofWorkloads ? workloads() : experiments();
  }

  private CommandResult experiments() throws ExperimentException {
    Experiments experiments = home.of(workloads);
    List<Listed> all = experiments.all();
    ObjectNode object = Json.object();
    ArrayNode array = object.putArray("experiments");
    TextTable table =
        new TextTable("experiment", "source", "title", ">trials", ">claims", "results");
    List<String> problems = new ArrayList<>();
    for (Listed listed : all) {
      ObjectNode entry = array.addObject().put("experiment", listed.id());
      listed.experiment().ifPresent(e -> add(e, experiments, entry, table));
      if (!listed.problem().isEmpty()) {
        entry.put("problem", listed.problem());
        problems.add(listed.problem());
      }
    }
    object.put("ok", problems.isEmpty());
    List<String> lines = new ArrayList<>(table.lines());
    problems.forEach(problem -> lines.add("wrong: " + problem));
    return new CommandResult(
        problems.isEmpty() ? ExitStatus.DONE : ExitStatus.FAILED, object, lines);
  }

  private static void add(
      Experiment e, Experiments experiments, ObjectNode entry, TextTable table) {
    boolean whole = Files.exists(ResultsWriter.whole(experiments.root(), e.id(), e.engine()));
    boolean partial = Files.exists(ResultsWriter.partial(experiments.root(), e.id(), e.engine()));
    String results = whole ? "yes" : partial ? "partial" : "none";
    entry
        .put("title", e.title())
        .put("source", e.source())
        .put("workload", e.workload())
        .put("trials", e.trials())
        .put("claims", e.claims().size())
        .put("results", results);
    table.row(e.id(), e.source(), e.title(), e.trials(), e.claims().size(), results);
  }

  private CommandResult workloads() {
    ObjectNode object = Json.object().put("ok", true);
    ArrayNode array = object.putArray("workloads");
    List<String> lines = new ArrayList<>();
    for (Workload workload : workloads.all()) {
      ObjectNode entry = array.addObject();
      entry.put("workload", workload.name()).put("description", workload.description());
      ObjectNode settings = entry.putObject("settings");
      workload.defaults().forEach(settings::put);
      ArrayNode measures = entry.putArray("measures");
      workload.measures().forEach(measure -> measures.add(Json.of(measure)));
      lines.add(workload.name() + ": " + workload.description());
      TextTable table = new TextTable("  setting", "default");
      workload.defaults().forEach((key, value) -> table.row("  " + key, value));
      lines.addAll(table.lines());
      TextTable measured = new TextTable("  measure", "unit", "better");
      workload.measures().forEach(m -> measured.row("  " + m.name(), m.unit(), better(m.better())));
      lines.addAll(measured.lines());
      lines.add("");
    }
    return new CommandResult(ExitStatus.DONE, object, lines);
  }

  private static String better(Measure.Better better) {
    return switch (better) {
      case LESS -> "less";
      case MORE -> "more";
      case NEITHER -> "";
    };
  }
}
