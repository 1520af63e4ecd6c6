package org.braid.cli.sim;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
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
import org.braid.placement.StripeRule;
import org.braid.placement.StripeRules;
import org.braid.placement.Topology;
import org.braid.placement.site.SitePolicies;
import org.braid.placement.site.SiteRules;
import org.braid.plan.RepairPlanner;
import org.braid.plan.RepairPlanners;
import org.braid.sim.durability.Cluster;
import org.braid.sim.durability.DurabilityStudy;
import org.braid.sim.durability.DurabilityStudy.Row;
import org.braid.sim.durability.DurabilityStudy.Setting;
import org.braid.sim.durability.Missions.Effort;
import org.braid.sim.durability.OverloadException;
import org.braid.sim.durability.RepairSettings.Course;
import org.braid.sim.durability.RepairSettings.Law;
import org.braid.sim.durability.RepairSettings.Order;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "durability",
    description = {
      "Simulates how rarely data is lost: nodes, racks, sites and sectors fail, and repairs take as"
          + " long as the product's plans, network model and budgets say, for each shape of"
          + " repair.",
      "Losses are found however rare they are, by importance sampling; a Markov chain of the node"
          + " failures alone stands beside. The interval holds the true mean in 95 of 100 runs."
    },
    footer = {
      "",
      "Example: three replicas, for comparison, and a code, with all that may happen",
      "  braid sim durability --code rep-3 --nodes 1000",
      "  braid sim durability --code rs-10-4 --nodes 1000 --racks 50 --mttf 4y --rack-mttf 200y"
          + " --node-outage 60d/10m"
    })
final class DurabilityCommand extends BaseCommand {
  /** Planned stripes for each number of lost blocks. */
  private static final int SAMPLES = 24;

  private static final long MOST_DEPARTURES = 400_000;

  /** Batches of missions are added up in their order, whoever ran them. */
  private static final UnaryOperator<IntStream> PARALLEL = IntStream::parallel;

  @Option(
      names = "--code",
      required = true,
      paramLabel = "CODE",
      description = "The code of all stripes, for example rs-10-4.")
  @SuppressWarnings("NullAway.Init")
  private ErasureCode code;

  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Mixin private final FaultOptions faults = new FaultOptions();

  @Option(
      names = "--placement",
      defaultValue = "racks",
      paramLabel = "NAME",
      description = "racks, or even or code-aware over sites; default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init")
  private String placement;

  @Option(
      names = "--shape",
      split = ",",
      paramLabel = "SHAPE",
      description = "Shapes of repair, joined by commas: star, ppr, chain, racktree; default: all.")
  private RepairPlanner @Nullable [] shapes;

  @Option(
      names = "--repair-times",
      defaultValue = "queue",
      paramLabel = "LAW",
      description = {
        "queue: delays, a random place in the queue, the plan's time; exponential: the same mean,"
            + " as the Markov chain has it; default: ${DEFAULT-VALUE}."
      })
  @SuppressWarnings("NullAway.Init")
  private String law;

  @Option(
      names = "--years",
      defaultValue = "10",
      paramLabel = "Y",
      converter = SimConverters.Amount.class,
      description = "Years of a stripe's life that one mission follows; default: ${DEFAULT-VALUE}.")
  private double years;

  @Option(
      names = "--missions",
      defaultValue = "20000",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Missions at most; default: ${DEFAULT-VALUE}.")
  private int missions;

  @Option(
      names = "--precision",
      defaultValue = "0.1",
      paramLabel = "PART",
      converter = SimConverters.Amount.class,
      description = {
        "Enough is simulated when the interval is this part of the mean to each side; default:"
            + " ${DEFAULT-VALUE}."
      })
  private double precision;

  @Mixin private final SeedOption seed = new SeedOption();

  @Option(names = "--report", paramLabel = "FILE", description = "Write charts to an HTML file.")
  private @Nullable Path report;

  @Override
  protected Outcome perform() throws IOException {
    ReportFile target = report == null ? null : ReportFile.of(report);
    Topology topology = cluster.topology();
    List<RepairPlanner> planners = shapes == null ? RepairPlanners.shapes() : Arrays.asList(shapes);
    StripeRule rule = rule(topology);
    Setting setting;
    List<Row> rows;
    try (Bars bars = new Bars()) {
      setting =
          new Setting(
              new Cluster(topology, rule, cluster.blockSize(), cluster.disk()),
              faults.faults(topology),
              cluster.repairs(planners.get(0)),
              new Course(Order.TOGETHER, law()),
              years,
              SAMPLES);
      int[] done = new int[1];
      rows =
          DurabilityStudy.run(
              setting,
              planners,
              new Effort(missions, precision, MOST_DEPARTURES),
              seed.seed(),
              PARALLEL,
              shape -> bars.at("shapes", ++done[0], planners.size()));
    } catch (OverloadException e) {
      return refused(e);
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
    DurabilityReport text = new DurabilityReport(setting, rows, seed.seed());
    List<String> lines = new ArrayList<>(text.lines());
    if (target != null) {
      target.write(text.page());
      lines.add("report: " + target);
    }
    return new Outcome(ExitStatus.DONE, text.object(), lines);
  }

  private Outcome refused(OverloadException e) {
    err().println("braid: " + e.getMessage());
    ObjectNode object = Json.object().put("ok", false).put("error", e.getMessage());
    return new Outcome(ExitStatus.REFUSED, object.put("code", code.name()), List.of());
  }

  private StripeRule rule(Topology topology) {
    if (placement.equals("racks")) {
      return StripeRules.on(code, cluster.perRack(), topology, node -> true);
    }
    if (!placement.equals(SitePolicies.EVEN.name())
        && !placement.equals(SitePolicies.CODE_AWARE.name())) {
      throw wrong("unknown placement \"" + placement + "\"; known: racks, even, code-aware");
    }
    return SiteRules.on(
        code, SitePolicies.named(placement), cluster.perRack(), topology, node -> true);
  }

  private Law law() {
    return Optional.ofNullable(
            switch (law) {
              case "queue" -> Law.QUEUE;
              case "exponential" -> Law.EXPONENTIAL;
              default -> null;
            })
        .orElseThrow(() -> wrong("unknown law \"" + law + "\"; known: queue, exponential"));
  }
}
