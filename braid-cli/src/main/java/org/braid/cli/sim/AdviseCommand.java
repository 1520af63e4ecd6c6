package org.braid.cli.sim;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.braid.cli.Bars;
import org.braid.cli.BaseCommand;
import org.braid.cli.Converters;
import org.braid.cli.ExitStatus;
import org.braid.cli.Outcome;
import org.braid.cli.ReportFile;
import org.braid.cli.SeedOption;
import org.braid.cli.text.Json;
import org.braid.code.ErasureCode;
import org.braid.placement.Topology;
import org.braid.plan.RepairPlanners;
import org.braid.sim.advise.Advice;
import org.braid.sim.advise.Advisor;
import org.braid.sim.advise.CodeCandidates;
import org.braid.sim.advise.ContradictionException;
import org.braid.sim.advise.Limits;
import org.braid.sim.advise.Wanted;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "advise",
    description = {
      "Which code, which placement, which repair for a cluster: measures candidates of every family"
          + " with the product's rules, planners and durability models, keeps those within the"
          + " limits that no other beats, and ranks them.",
      "A choice is ranked by its mean place over overhead, durability, repair traffic, time of a"
          + " degraded read, and conversion. Durability is that of a Markov chain of node failures;"
          + " where racks, sites, bursts, outages, aging or a trace are given, it is simulated.",
      "The exit status is 3 when nothing is within the limits."
    },
    footer = {
      "",
      "Example: 400 nodes in 20 racks, with at most 1.6 bytes stored for each",
      "  braid advise --nodes 400 --racks 20 --max-overhead 1.6",
      "Three sites, one of which may fail, and a chart",
      "  braid advise --nodes 90 --racks 9 --sites 3 --site-link 2gbit --tolerate-sites 1"
          + " --max-overhead 2.5 --report advice.html"
    })
public final class AdviseCommand extends BaseCommand {
  private static final int SAMPLES = 8;

  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Mixin private final FaultOptions faults = new FaultOptions();

  @Option(
      names = "--max-overhead",
      defaultValue = "2",
      paramLabel = "X",
      converter = SimConverters.Amount.class,
      description = "Bytes stored for a byte of data at most; default: ${DEFAULT-VALUE}.")
  private double overhead;

  @Option(
      names = "--min-nines",
      paramLabel = "N",
      converter = SimConverters.Amount.class,
      description = {
        "Nines of the data that survives a year at least; default: those of rep-3 on this cluster."
      })
  private @Nullable Double nines;

  @Option(
      names = "--tolerate-nodes",
      defaultValue = "2",
      paramLabel = "N",
      converter = SimConverters.Whole.class,
      description = "Nodes that may be lost at once, whichever; default: ${DEFAULT-VALUE}.")
  private int nodes;

  @Option(
      names = "--tolerate-racks",
      paramLabel = "N",
      converter = SimConverters.Whole.class,
      description = "Racks that may be lost at once; default: 1 where there are several.")
  private @Nullable Integer racks;

  @Option(
      names = "--tolerate-sites",
      defaultValue = "0",
      paramLabel = "N",
      converter = SimConverters.Whole.class,
      description = "Sites that may be lost at once; default: ${DEFAULT-VALUE}.")
  private int sites;

  @Option(
      names = "--codes",
      split = ",",
      paramLabel = "CODE",
      description = "Codes to consider, joined by commas; default: some of every family.")
  private ErasureCode @Nullable [] codes;

  @Option(
      names = "--top",
      defaultValue = "12",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Choices to print; JSON and the page have all; default: ${DEFAULT-VALUE}.")
  private int top;

  @Mixin private final SeedOption seed = new SeedOption();

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Write the chart and all tables to an HTML file.")
  private @Nullable Path report;

  @Option(names = "--svg", paramLabel = "FILE", description = "Write the chart to an SVG file.")
  private @Nullable Path svg;

  @Override
  protected Outcome perform() throws IOException {
    ReportFile page = report == null ? null : ReportFile.of(report);
    ReportFile drawing = svg == null ? null : ReportFile.of(svg);
    Topology topology = cluster.topology();
    Wanted wanted;
    Advice advice;
    try (Bars bars = new Bars()) {
      wanted = wanted(topology);
      advice =
          Advisor.advise(
              wanted, IntStream::parallel, (code, done, all) -> bars.at("codes", done, all));
    } catch (ContradictionException e) {
      return refused("the limits contradict each other: " + e.getMessage());
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
    AdviceReport text = new AdviceReport(wanted, advice);
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
      return new Outcome(ExitStatus.REFUSED, object.put("ok", false).put("error", reason), lines);
    }
    return new Outcome(ExitStatus.DONE, object, lines);
  }

  private Wanted wanted(Topology topology) throws IOException {
    int lostRacks = racks == null ? Math.min(1, topology.racks() - 1) : racks;
    Limits limits =
        new Limits(
            overhead,
            nines == null ? OptionalDouble.empty() : OptionalDouble.of(nines),
            nodes,
            lostRacks,
            sites);
    return new Wanted(
        topology,
        cluster.blockSize(),
        cluster.disk(),
        faults.faults(topology),
        cluster.repairs(RepairPlanners.shapes().get(0)),
        cluster.perRack(),
        limits,
        codes == null
            ? CodeCandidates.names()
            : Arrays.stream(codes).map(ErasureCode::name).toList(),
        SAMPLES,
        seed.seed());
  }

  private Outcome refused(String reason) {
    err().println("braid: " + reason);
    return new Outcome(
        ExitStatus.REFUSED, Json.object().put("ok", false).put("error", reason), List.of());
  }
}
