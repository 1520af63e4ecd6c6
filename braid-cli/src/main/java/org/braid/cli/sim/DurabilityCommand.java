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
import org.braid.cli.command.BaseCommand;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.Converters;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.command.ProgressBars;
import org.braid.cli.command.ReportFile;
import org.braid.cli.command.SeedOption;
import org.braid.cli.text.Json;
import org.braid.code.ErasureCode;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.rule.StripeRule;
import org.braid.placement.rule.StripeRules;
import org.braid.placement.site.SitePolicies;
import org.braid.placement.site.SiteRules;
import org.braid.plan.shape.RepairPlanner;
import org.braid.plan.shape.RepairPlanners;
import org.braid.sim.durability.DurabilityStudy;
import org.braid.sim.durability.DurabilityStudy.Row;
import org.braid.sim.durability.DurabilityStudy.Setting;
import org.braid.sim.durability.EncodedCluster;
import org.braid.sim.durability.ImportanceSampling.Effort;
import org.braid.sim.durability.OverloadException;
import org.braid.sim.durability.RepairParameters.Course;
import org.braid.sim.durability.RepairParameters.Law;
import org.braid.sim.durability.RepairParameters.Order;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "durability",
    description = {
      "Estimates the durability of data on a cluster for each shape of repair."
          + " Simulates failures of nodes, racks, sites and sectors. Repair times follow"
          + " from the product's repair plans, the network and the repair budgets.",
      "Importance sampling estimates data losses that are too rare for plain"
          + " simulation; a 95 %% confidence interval goes with each estimate. A Markov"
          + " chain of node failures alone is shown for comparison."
    },
    footer = {
      "",
      "Example: three replicas for comparison, then a code with failures of racks and outages",
      "  braid sim durability --code rep-3 --nodes 1000",
      "  braid sim durability --code rs-10-4 --nodes 1000 --racks 50 --mttf 4y --rack-mttf 200y"
          + " --node-outage 60d/10m"
    })
final class DurabilityCommand extends BaseCommand {
  /** Sample stripes for each number of lost blocks. */
  private static final int SAMPLES = 24;

  private static final long MOST_DEPARTURES = 400_000;

  /** The result is the same: batches of missions are added up in order. */
  private static final UnaryOperator<IntStream> PARALLEL = IntStream::parallel;

  @Option(
      names = "--code",
      required = true,
      paramLabel = "CODE",
      description = "The code of all stripes, as in rs-10-4.")
  @SuppressWarnings("NullAway.Init")
  private ErasureCode code;

  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Mixin private final FailureOptions failures = new FailureOptions();

  @Option(
      names = "--placement",
      defaultValue = "racks",
      paramLabel = "NAME",
      description = {
        "Placement of stripes: racks, over racks only; even, equally many blocks at"
            + " each site; code-aware, each locality group of the code at one site;"
            + " default: ${DEFAULT-VALUE}."
      })
  @SuppressWarnings("NullAway.Init")
  private String placement;

  @Option(
      names = "--shape",
      split = ",",
      paramLabel = "SHAPE",
      description =
          "Shapes of repair to compare, separated by commas: star, ppr, chain,"
              + " racktree; default: all.")
  private RepairPlanner @Nullable [] shapes;

  @Option(
      names = "--repair-times",
      defaultValue = "queue",
      paramLabel = "LAW",
      description = {
        "Distribution of repair times: queue, the sum of detection, delay, a random"
            + " position in the repair queue and the time of the plan; exponential, an"
            + " exponential distribution with the same mean, as in the Markov chain;"
            + " default: ${DEFAULT-VALUE}."
      })
  @SuppressWarnings("NullAway.Init")
  private String law;

  @Option(
      names = "--years",
      defaultValue = "10",
      paramLabel = "Y",
      converter = SimConverters.Amount.class,
      description =
          "Length of a mission, the simulated life of one stripe, in years; default:"
              + " ${DEFAULT-VALUE}.")
  private double years;

  @Option(
      names = "--missions",
      defaultValue = "20000",
      paramLabel = "N",
      converter = Converters.Count.class,
      description =
          "Largest number of missions for each shape; see --precision; default:"
              + " ${DEFAULT-VALUE}.")
  private int missions;

  @Option(
      names = "--precision",
      defaultValue = "0.1",
      paramLabel = "PART",
      converter = SimConverters.Amount.class,
      description = {
        "Sampling ends when half the width of the 95 %% confidence interval is at"
            + " most this fraction of the mean; default: ${DEFAULT-VALUE}."
      })
  private double precision;

  @Mixin private final SeedOption seed = new SeedOption();

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Write tables and charts to this HTML file.")
  private @Nullable Path report;

  @Override
  protected CommandResult perform() throws IOException {
    ReportFile target = report == null ? null : ReportFile.of(report);
    Topology topology = cluster.topology();
    List<RepairPlanner> planners = shapes == null ? RepairPlanners.shapes() : Arrays.asList(shapes);
    StripeRule rule = rule(topology);
    Setting setting;
    List<Row> rows;
    try (ProgressBars bars = new ProgressBars()) {
      setting =
          new Setting(
              new EncodedCluster(topology, rule, cluster.blockSize(), cluster.disk()),
              failures.model(topology),
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
    return new CommandResult(ExitStatus.DONE, text.object(), lines);
  }

  private CommandResult refused(OverloadException e) {
    err().println("braid: " + e.getMessage());
    ObjectNode object = Json.object().put("ok", false).put("error", e.getMessage());
    return new CommandResult(ExitStatus.REFUSED, object.put("code", code.name()), List.of());
  }

  private StripeRule rule(Topology topology) {
    if (placement.equals("racks")) {
      return StripeRules.on(code, cluster.perRack(), EligibleNodes.all(topology));
    }
    if (!placement.equals(SitePolicies.EVEN.name())
        && !placement.equals(SitePolicies.CODE_AWARE.name())) {
      throw wrong("unknown placement \"" + placement + "\"; known: racks, even, code-aware");
    }
    return SiteRules.on(
        code, SitePolicies.named(placement), cluster.perRack(), EligibleNodes.all(topology));
  }

  private Law law() {
    return Optional.ofNullable(
            switch (law) {
              case "queue" -> Law.QUEUE;
              case "exponential" -> Law.EXPONENTIAL;
              default -> null;
            })
        .orElseThrow(
            () -> wrong("unknown distribution \"" + law + "\"; known: queue, exponential"));
  }
}
