package org.braid.cli.bench.planning;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.braid.cli.bench.planning.PlanningBenchmarks.Measured;
import org.braid.cli.bench.planning.PlanningBenchmarks.Settings;
import org.braid.cli.command.BaseCommand;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.Converters;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.command.ProgressBars;
import org.braid.cli.command.SeedOption;
import org.braid.cli.command.Version;
import org.braid.cli.text.Json;
import org.braid.cli.text.TextTable;
import org.braid.experiment.Machine;
import org.braid.experiment.text.Sizes;
import org.braid.plan.shape.RepairPlanner;
import org.braid.plan.shape.RepairPlanners;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "planning",
    description = {
      "Measures with JMH, on one core, how fast Braid plans repairs, chooses the targets of new"
          + " blocks and groups blocks into stripes, beside HDFS's default placement policy and the"
          + " figures of the papers. Figures are medians of the runs with their quartiles. A repair"
          + " plan includes the destination, the helpers, the equations and the plan."
    },
    footer = {
      "",
      "Example: a small cluster, half a second a run",
      "  braid bench planning --racks 10 --nodes-per-rack 10 --blocks 10000 --seconds 0.5"
    })
final class PlanningCommand extends BaseCommand {
  private static final String PLANS = "plans/s";
  private static final String TARGETS = "us";
  private static final String SECONDS = "s";

  private static final double PLANS_GOAL = 20_000;
  private static final double TARGETS_GOAL = 1.5;
  private static final double GROUP_SECONDS_GOAL = 60;
  private static final long GROUP_BYTES_GOAL = 2L << 30;

  /** The sizes that the goals are about. */
  private static final int GOAL_NODES = 1000;

  private static final int GOAL_BLOCKS = 1_000_000;

  /** Plans a second of m-PPR's repair manager (PPR section 7.6). */
  private static final Map<String, String> PAPER = Map.of("rs-6-3", "189", "rs-12-4", "115");

  @Option(
      names = "--racks",
      defaultValue = "40",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Racks of the cluster; default: ${DEFAULT-VALUE}.")
  private int racks;

  @Option(
      names = "--nodes-per-rack",
      defaultValue = "25",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Nodes of each rack; default: ${DEFAULT-VALUE}.")
  private int nodesPerRack;

  @Option(
      names = "--blocks",
      defaultValue = "1000000",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Blocks to group; default: ${DEFAULT-VALUE}.")
  private int blocks;

  @Option(
      names = "--runs",
      defaultValue = "5",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = {
        "Measured runs of each benchmark, after as many warm-up runs; default: ${DEFAULT-VALUE}."
      })
  private int runs;

  @Option(
      names = "--seconds",
      defaultValue = "1",
      paramLabel = "S",
      description = "Seconds of each run; grouping runs once; default: ${DEFAULT-VALUE}.")
  private double seconds;

  @Option(
      names = "--in-process",
      description =
          "Measure in this process: faster, but less exact than one process for each"
              + " benchmark.")
  private boolean inProcess;

  @Mixin private final SeedOption seed = new SeedOption();

  @Override
  protected CommandResult perform() throws IOException {
    if (!(seconds > 0 && seconds <= 60)) {
      throw wrong("--seconds " + seconds + " is not above 0 and at most 60");
    }
    Settings settings =
        new Settings(racks, nodesPerRack, blocks, inProcess ? 0 : 1, runs, seconds, seed.seed());
    if (settings.nodes() < 16) {
      throw wrong(settings.nodes() + " nodes do not hold a stripe of rs-12-4: give at least 16");
    }
    List<BenchmarkRow> rows = measure(settings);
    boolean missed = rows.stream().anyMatch(row -> row.reached().equals(BenchmarkRow.NO));
    String commit = new Version().commit();
    return new CommandResult(
        missed ? ExitStatus.FAILED : ExitStatus.DONE,
        object(settings, commit, rows),
        lines(settings, commit, rows));
  }

  private List<BenchmarkRow> measure(Settings settings) throws IOException {
    PlanningBenchmarks bench =
        new PlanningBenchmarks(settings, isVerbose() ? VerboseMode.NORMAL : VerboseMode.SILENT);
    List<BenchmarkRow> rows = new ArrayList<>();
    List<String> codes = List.of("rs-6-3", "rs-12-4");
    List<RepairPlanner> shapes = RepairPlanners.shapes();
    int all = codes.size() * shapes.size() + 3;
    try (ProgressBars bars = new ProgressBars()) {
      for (String code : codes) {
        for (RepairPlanner shape : shapes) {
          bars.at("bench", rows.size(), all);
          rows.add(plans(code, shape.name(), bench));
        }
      }
      Measured peer = bench.targets("HDFS");
      rows.add(BenchmarkRow.peer("targets of a block, HDFS default", TARGETS, peer, ""));
      bars.at("bench", rows.size(), all);
      rows.add(targets(bench, peer));
      bars.at("bench", rows.size(), all);
      rows.add(groups(bench));
      bars.at("bench", all, all);
    }
    return rows;
  }

  private BenchmarkRow plans(String code, String shape, PlanningBenchmarks bench)
      throws IOException {
    Measured measured = bench.plans(code, shape);
    return new BenchmarkRow(
        "repair plan, " + code + ", " + shape,
        PLANS,
        measured,
        PAPER.getOrDefault(code, ""),
        "at least %.0f".formatted(PLANS_GOAL),
        reached(bench, measured.median() >= PLANS_GOAL));
  }

  private BenchmarkRow targets(PlanningBenchmarks bench, Measured peer) throws IOException {
    Measured measured = bench.targets("BRAID");
    double ratio = measured.median() / peer.median();
    return new BenchmarkRow(
        "targets of a block, EAR for rs-10-4",
        TARGETS,
        measured,
        "",
        String.format(Locale.ROOT, "at most %.1f of HDFS, is %.2f", TARGETS_GOAL, ratio),
        reached(bench, ratio <= TARGETS_GOAL));
  }

  private BenchmarkRow groups(PlanningBenchmarks bench) throws IOException {
    Measured measured = bench.groups();
    boolean good =
        measured.median() <= GROUP_SECONDS_GOAL && measured.peakBytes() <= GROUP_BYTES_GOAL;
    return new BenchmarkRow(
        "grouping of %d blocks for rs-10-4".formatted(bench.settings().blocks()),
        SECONDS,
        measured,
        "",
        String.format(
            Locale.ROOT,
            "at most %.0f s and %s, heap held %s",
            GROUP_SECONDS_GOAL,
            Sizes.format(GROUP_BYTES_GOAL),
            Sizes.format(measured.peakBytes())),
        bench.settings().blocks() < GOAL_BLOCKS ? BenchmarkRow.OPEN : reached(bench, good));
  }

  private static String reached(PlanningBenchmarks bench, boolean good) {
    return bench.settings().nodes() < GOAL_NODES
        ? BenchmarkRow.OPEN
        : good ? BenchmarkRow.YES : BenchmarkRow.NO;
  }

  private static ObjectNode object(Settings settings, String commit, List<BenchmarkRow> rows) {
    ObjectNode object = Json.object();
    object.put("ok", rows.stream().noneMatch(row -> row.reached().equals(BenchmarkRow.NO)));
    object.putObject("machine").setAll(Json.of(Machine.here()));
    object.put("commit", commit);
    object.setAll(Json.of(settings));
    ArrayNode all = object.putArray("rows");
    for (BenchmarkRow row : rows) {
      ObjectNode node = all.addObject();
      node.put("what", row.what()).put("unit", row.unit());
      node.setAll(Json.of(row.measured()));
      node.put("paper", row.paper()).put("goal", row.goal()).put("reached", row.reached());
    }
    return object;
  }

  private static List<String> lines(Settings settings, String commit, List<BenchmarkRow> rows) {
    Machine machine = Machine.here();
    List<String> lines = new ArrayList<>();
    lines.add("cpu      " + machine.cpu() + ", " + Sizes.count(machine.cores(), "core"));
    lines.add("jvm      " + machine.jvm() + ", " + machine.system());
    lines.add("braid    commit " + commit);
    lines.add(
        "cluster  %d nodes in %d racks, 3 replicas".formatted(settings.nodes(), settings.racks()));
    lines.add(
        "runs     %d of %s s each after as many to warm up, threads=1, seed=%d, %s"
            .formatted(
                settings.runs(),
                settings.seconds(),
                settings.seed(),
                settings.forks() == 0 ? "all in one process" : "a process a benchmark"));
    lines.add("");
    TextTable table =
        new TextTable("what", ">median", ">quartiles", "unit", ">paper", "goal", "reached");
    for (BenchmarkRow row : rows) {
      Measured m = row.measured();
      table.row(
          row.what(),
          number(m.median()),
          number(m.low()) + " - " + number(m.high()),
          row.unit(),
          row.paper(),
          row.goal(),
          row.reached());
    }
    lines.addAll(table.lines());
    if (settings.nodes() < GOAL_NODES || settings.blocks() < GOAL_BLOCKS) {
      lines.add("");
      lines.add(
          "goals are for %d nodes and %d blocks: not judged at smaller sizes"
              .formatted(GOAL_NODES, GOAL_BLOCKS));
    }
    return lines;
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value >= 100 ? "%.0f" : value >= 1 ? "%.2f" : "%.4f", value);
  }
}
