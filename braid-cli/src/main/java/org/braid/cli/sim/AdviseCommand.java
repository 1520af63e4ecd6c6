package org.braid.cli.sim;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.braid.cli.command.BaseCommand;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.Converters;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.command.ProgressBars;
import org.braid.cli.command.ReportFile;
import org.braid.cli.command.SeedOption;
import org.braid.cli.text.Json;
import org.braid.code.ErasureCode;
import org.braid.placement.Topology;
import org.braid.plan.shape.RepairPlanners;
import org.braid.sim.advise.Advice;
import org.braid.sim.advise.AdviceRequest;
import org.braid.sim.advise.Advisor;
import org.braid.sim.advise.CandidateCodes;
import org.braid.sim.advise.ContradictionException;
import org.braid.sim.advise.Requirements;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "advise",
    description = {
      "Recommends a code, a placement and a shape of repair for a cluster. Measures"
          + " candidates of every code family with the product's placement rules and"
          + " planners and with the durability models. Ranks the candidates that meet the"
          + " requirements and that no other candidate dominates.",
      "Candidates are ordered by their mean rank in overhead, durability, repair"
          + " traffic, time of a degraded read, and conversion traffic. Durability comes"
          + " from a Markov chain of node failures; it is simulated instead if racks or"
          + " sites fail, or with bursts, outages, aging nodes or a trace.",
      "The exit status is 3 when no candidate meets the requirements."
    },
    footer = {
      "",
      "Example: 400 nodes in 20 racks, at most 1.6 bytes stored for a byte of data",
      "  braid advise --nodes 400 --racks 20 --max-overhead 1.6",
      "Three sites, one of which may fail, and a chart",
      "  braid advise --nodes 90 --racks 9 --sites 3 --site-link 2gbit --tolerate-sites 1"
          + " --max-overhead 2.5 --report advice.html"
    })
public final class AdviseCommand extends BaseCommand {
  private static final int SAMPLES = 8;

  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Mixin private final FailureOptions failures = new FailureOptions();

  @Option(
      names = "--max-overhead",
      defaultValue = "2",
      paramLabel = "X",
      converter = SimConverters.Amount.class,
      description =
          "Largest storage overhead: bytes stored for a byte of data; default:"
              + " ${DEFAULT-VALUE}.")
  private double overhead;

  @Option(
      names = "--min-nines",
      paramLabel = "N",
      converter = SimConverters.Amount.class,
      description = {
        "Smallest durability in nines: 3 means that 99.9 %% of the data survives a"
            + " year; default: the durability of rep-3 on this cluster."
      })
  private @Nullable Double nines;

  @Option(
      names = "--tolerate-nodes",
      defaultValue = "2",
      paramLabel = "N",
      converter = SimConverters.Whole.class,
      description =
          "Number of nodes that may fail together without data loss, whichever they"
              + " are; default: ${DEFAULT-VALUE}.")
  private int nodes;

  @Option(
      names = "--tolerate-racks",
      paramLabel = "N",
      converter = SimConverters.Whole.class,
      description = {
        "Number of racks that may fail together without data loss, whichever they"
            + " are; default: 1 if there are several racks, else 0."
      })
  private @Nullable Integer racks;

  @Option(
      names = "--tolerate-sites",
      defaultValue = "0",
      paramLabel = "N",
      converter = SimConverters.Whole.class,
      description =
          "Number of sites that may fail together without data loss, whichever they"
              + " are; default: ${DEFAULT-VALUE}.")
  private int sites;

  @Option(
      names = "--codes",
      split = ",",
      paramLabel = "CODE",
      description = "Codes to measure, separated by commas; default: a selection of every family.")
  private ErasureCode @Nullable [] codes;

  @Option(
      names = "--top",
      defaultValue = "12",
      paramLabel = "N",
      converter = Converters.Count.class,
      description =
          "Largest number of candidates to print; --json and --report show all;"
              + " default: ${DEFAULT-VALUE}.")
  private int top;

  @Mixin private final SeedOption seed = new SeedOption();

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Write the chart and all tables to this HTML file.")
  private @Nullable Path report;

  @Option(names = "--svg", paramLabel = "FILE", description = "Write the chart to this SVG file.")
  private @Nullable Path svg;

  @Override
  protected CommandResult perform() throws IOException {
    ReportFile page = report == null ? null : ReportFile.of(report);
    ReportFile drawing = svg == null ? null : ReportFile.of(svg);
    Topology topology = cluster.topology();
    AdviceRequest request;
    Advice advice;
    try (ProgressBars bars = new ProgressBars()) {
      request = request(topology);
      advice =
          Advisor.advise(
              request, IntStream::parallel, (code, done, all) -> bars.at("codes", done, all));
    } catch (ContradictionException e) {
      return refused("no code can meet the requirements: " + e.getMessage());
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
    AdviceReport text = new AdviceReport(request, advice);
    List<String> lines = new ArrayList<>(text.lines(top));
    ObjectNode object = text.object();
    if (page != null) {
      page.write(text.page());
      lines.add("report: " + page);
    }
    if (drawing != null) {
      drawing.write(text.svg());
      lines.add("chart: " + drawing);
    }
    if (advice.ranked().isEmpty()) {
      String reason = text.nothing();
      err().println("braid: " + reason);
      return new CommandResult(
          ExitStatus.REFUSED, object.put("ok", false).put("error", reason), lines);
    }
    return new CommandResult(ExitStatus.DONE, object, lines);
  }

  private AdviceRequest request(Topology topology) throws IOException {
    int lostRacks = racks == null ? Math.min(1, topology.racks() - 1) : racks;
    Requirements requirements =
        new Requirements(
            overhead,
            nines == null ? OptionalDouble.empty() : OptionalDouble.of(nines),
            nodes,
            lostRacks,
            sites);
    return new AdviceRequest(
        topology,
        cluster.blockSize(),
        cluster.disk(),
        failures.model(topology),
        cluster.repairs(RepairPlanners.shapes().get(0)),
        cluster.perRack(),
        requirements,
        codes == null
            ? CandidateCodes.names()
            : Arrays.stream(codes).map(ErasureCode::name).toList(),
        SAMPLES,
        seed.seed());
  }

  private CommandResult refused(String reason) {
    err().println("braid: " + reason);
    return new CommandResult(
        ExitStatus.REFUSED, Json.object().put("ok", false).put("error", reason), List.of());
  }
}
