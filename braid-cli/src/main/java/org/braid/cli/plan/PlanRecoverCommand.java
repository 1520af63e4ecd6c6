package org.braid.cli.plan;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeSet;
import org.braid.cli.codes.CodeText;
import org.braid.cli.command.BaseCommand;
import org.braid.cli.command.CodeArgument;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.Converters;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.command.SeedOption;
import org.braid.cli.text.Json;
import org.braid.cli.text.TextTable;
import org.braid.experiment.text.Sizes;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.replication.ReplicationPolicy;
import org.braid.placement.rule.StripeLimits;
import org.braid.placement.rule.StripeRule;
import org.braid.placement.rule.StripeRules;
import org.braid.plan.cost.Network;
import org.braid.plan.manage.RepairBudgets;
import org.braid.plan.schedule.ClusterSnapshot;
import org.braid.plan.schedule.LoadBound;
import org.braid.plan.schedule.LoadReport;
import org.braid.plan.schedule.LostStripe;
import org.braid.plan.schedule.RepairScheduler;
import org.braid.plan.schedule.RepairScheduler.PlanSettings;
import org.braid.plan.schedule.RepairSchedulers;
import org.braid.plan.shape.RepairPlanner;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "recover",
    description = {
      "Schedules the repairs of all blocks of lost nodes and compares schedulers by their load"
          + " on nodes and links and by the recovery time under budgets.",
      "mppr: the sources and destinations of highest weight, stripe by stripe (PPR section 5);"
          + " together: balances the load of all stripes; arrival: each stripe by itself. The"
          + " last line is a lower bound for every scheduler.",
      "The exit status is 1 when a stripe cannot be repaired."
    },
    footer = {
      "",
      "Example: the loss of one of 100 nodes with 1000 stripes",
      "  braid plan recover rs-12-4 --topology 20x5 --stripes 1000 --shape ppr",
      "Three blocks that readers wait for, on a slow network",
      "  braid plan recover rs-6-3 --topology 10x4 --reads 3 --link-rate 1gbit --block-size 64m"
    })
final class PlanRecoverCommand extends BaseCommand {
  private static final int MAX_STRIPES = 100_000;

  @Mixin private final CodeArgument argument = new CodeArgument();

  @Option(
      names = "--topology",
      required = true,
      paramLabel = "RxN",
      description = "R racks of N nodes, or SxRxN: R racks of N nodes at each of S sites.")
  @SuppressWarnings("NullAway.Init")
  private Topology topology;

  @Option(
      names = "--stripes",
      defaultValue = "1000",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Number of stripes on the cluster; default: ${DEFAULT-VALUE}.")
  private int stripes;

  @Option(
      names = "--node",
      split = ",",
      defaultValue = "0",
      paramLabel = "NODE",
      description =
          "Numbers of the lost nodes, counted rack by rack from 0; default:" + " ${DEFAULT-VALUE}.")
  private List<Integer> lost = new ArrayList<>();

  @Option(
      names = "--scheduler",
      defaultValue = "all",
      paramLabel = "NAME",
      description =
          "Scheduler: mppr, together, arrival, or all to compare them; default:"
              + " ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init")
  private String scheduler;

  @Option(
      names = "--shape",
      defaultValue = "chain",
      paramLabel = "SHAPE",
      description =
          "Shape of repairs: star, ppr, chain, racktree, or auto, the fastest for each repair;"
              + " default:"
              + " ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init")
  private RepairPlanner shape;

  @Option(
      names = "--policy",
      defaultValue = "random",
      paramLabel = "POLICY",
      description =
          "Placement policy of the stripes, from braid place list; default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init")
  private ReplicationPolicy policy;

  @Option(
      names = "--max-per-rack",
      paramLabel = "C",
      converter = Converters.Count.class,
      description =
          "Largest number of blocks of a stripe in a rack; default: the smallest" + " possible.")
  private int perRack;

  @Mixin private final BudgetOptions budgets = new BudgetOptions();

  @Option(
      names = "--cached",
      defaultValue = "0",
      paramLabel = "PART",
      description =
          "Fraction of the blocks that their nodes cache in memory, 0 to 1; default:"
              + " ${DEFAULT-VALUE}.")
  private double cached;

  @Option(
      names = "--user-load",
      split = ",",
      paramLabel = "NODE=MB",
      description =
          "User traffic of a node in megabytes, as in 3=500 for node 3; may be" + " repeated.")
  private Map<Integer, Double> userLoad = new LinkedHashMap<>();

  @Option(
      names = "--reads",
      defaultValue = "0",
      paramLabel = "N",
      description = "Number of lost blocks that readers wait for; default: ${DEFAULT-VALUE}.")
  private int reads;

  @Mixin private final SeedOption seed = new SeedOption();

  @Mixin private final NetworkOptions network = new NetworkOptions();

  @Override
  protected CommandResult perform() {
    List<RepairScheduler> schedulers =
        scheduler.equals("all") ? RepairSchedulers.all() : List.of(named(scheduler));
    ClusterSnapshot servers = servers();
    StripeLimits limits = limits();
    RecoverySchedules recovery =
        new RecoverySchedules(argument.code(), topology, limits, policy, network.blockSize());
    List<LostStripe> damaged =
        recovery.damaged(stripes, new TreeSet<>(lost), cached, reads, seed.random());
    Network links = network.on(topology, argument.code());
    PlanSettings planning = new PlanSettings(shape, links);
    List<RecoverySchedules.Result> results = new ArrayList<>();
    for (RepairScheduler each : schedulers) {
      results.add(
          RecoverySchedules.run(
              damaged,
              servers,
              planning,
              each,
              new RepairBudgets(budgets.perNode(), budgets.perUplink()),
              seed.random()));
    }
    LoadBound bound = LoadBound.of(damaged, servers, links);
    boolean whole = results.stream().allMatch(result -> result.refused().isEmpty());
    results.forEach(
        result ->
            result.refused().stream()
                .limit(3)
                .forEach(r -> err().println("braid: " + result.scheduler() + ": " + r.reason())));
    return new CommandResult(
        whole ? ExitStatus.DONE : ExitStatus.FAILED,
        object(damaged, limits, results, bound),
        lines(damaged, limits, results, bound));
  }

  private RepairScheduler named(String name) {
    try {
      return RepairSchedulers.named(name);
    } catch (IllegalArgumentException e) {
      throw wrong(e.getMessage() + ", all");
    }
  }

  private StripeLimits limits() {
    OptionalInt most = perRack == 0 ? OptionalInt.empty() : OptionalInt.of(perRack);
    StripeRule rule = StripeRules.on(argument.code(), most, EligibleNodes.all(topology));
    return StripeLimits.perRack(rule.perRack());
  }

  private ClusterSnapshot servers() {
    if (stripes > MAX_STRIPES) {
      throw wrong("--stripes %d: must be at most %d".formatted(stripes, MAX_STRIPES));
    }
    if (!(cached >= 0 && cached <= 1)) {
      throw wrong("--cached %s: must be 0 to 1".formatted(cached));
    }
    if (reads < 0) {
      throw wrong("--reads %d: must be at least 0".formatted(reads));
    }
    ClusterSnapshot servers = ClusterSnapshot.of(topology);
    for (int node : lost) {
      requireNode("--node", node);
      servers = servers.without(node);
    }
    for (Map.Entry<Integer, Double> load : userLoad.entrySet()) {
      requireNode("--user-load", load.getKey());
      if (!(load.getValue() >= 0) || load.getValue().isInfinite()) {
        throw wrong("--user-load %s: must be at least 0".formatted(load.getValue()));
      }
      servers = servers.withUserLoad(load.getKey(), load.getValue());
    }
    return servers;
  }

  private void requireNode(String option, int node) {
    if (node < 0 || node >= topology.nodes()) {
      throw wrong(
          "%s names node %d, %s has 0..%d".formatted(option, node, topology, topology.nodes() - 1));
    }
  }

  private ObjectNode object(
      List<LostStripe> damaged,
      StripeLimits limits,
      List<RecoverySchedules.Result> results,
      LoadBound bound) {
    ObjectNode object =
        Json.object().put("code", argument.code().name()).put("topology", topology.toString());
    object.put("shape", shape.name()).put("policy", policy.name()).put("stripes", stripes);
    object.put("per_rack", limits.perRack()).put("seed", seed.seed());
    new TreeSet<>(lost).forEach(object.putArray("lost_nodes")::add);
    object.put("repairs", damaged.size()).put("lost_blocks", blocks(damaged));
    object.put("per_node", budgets.perNode()).put("per_uplink", budgets.perUplink());
    network.put(object);
    ArrayNode schedulers = object.putArray("schedulers");
    for (RecoverySchedules.Result result : results) {
      ObjectNode one = schedulers.addObject().put("scheduler", result.scheduler());
      LoadReport load = result.load();
      one.put("busiest_source", load.source()).put("busiest_destination", load.destination());
      one.put("busiest_link", load.node()).put("busiest_uplink", load.uplink());
      one.put("cross_rack", load.crossRack()).put("total", load.total());
      one.put("seconds", result.seconds()).put("read_seconds", result.readSeconds());
      one.put("most_at_once", result.mostAtOnce());
      one.put("planning_micros", result.planningMicros());
      ArrayNode refused = one.putArray("refused");
      result
          .refused()
          .forEach(
              r -> refused.addObject().put("stripe", r.stripe().id()).put("reason", r.reason()));
    }
    object.set("bound", Json.of(bound));
    return object;
  }

  private static int blocks(List<LostStripe> damaged) {
    return damaged.stream().mapToInt(stripe -> stripe.lost().size()).sum();
  }

  private List<String> lines(
      List<LostStripe> damaged,
      StripeLimits limits,
      List<RecoverySchedules.Result> results,
      LoadBound bound) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s lost of %d with %s of %s by %s, at most %d of a stripe in a rack: %s to repair by %s"
            .formatted(
                Sizes.count(new TreeSet<>(lost).size(), "node"),
                topology.nodes(),
                Sizes.count(stripes, "stripe"),
                argument.code().name(),
                policy.name(),
                limits.perRack(),
                Sizes.count(damaged.size(), "stripe"),
                shape.name()));
    lines.add(
        "blocks of %s, %s; at once %d repairs a node and %d an uplink"
            .formatted(
                Sizes.format(network.blockSize()),
                network.text(),
                budgets.perNode(),
                budgets.perUplink()));
    lines.add("");
    var table =
        new TextTable(
            "scheduler",
            ">source",
            ">destination",
            ">link",
            ">uplink",
            ">across racks",
            ">seconds",
            ">reads after",
            ">at once",
            ">planning, us");
    for (RecoverySchedules.Result result : results) {
      LoadReport load = result.load();
      table.row(
          result.scheduler(),
          load.source(),
          load.destination(),
          CodeText.number(load.node()),
          CodeText.number(load.uplink()),
          CodeText.number(load.crossRack()),
          CodeText.number(result.seconds()),
          reads == 0 ? "-" : CodeText.number(result.readSeconds()),
          result.mostAtOnce(),
          CodeText.number(Math.rint(result.planningMicros())));
    }
    table.row(
        "at least",
        bound.source(),
        bound.destination(),
        CodeText.number(bound.node()),
        CodeText.number(bound.uplink()),
        CodeText.number(bound.crossRack()),
        CodeText.number(bound.seconds()),
        "",
        "",
        "");
    lines.addAll(table.lines());
    lines.add("");
    lines.add(
        "source: stripes read at the busiest node; destination: blocks it gets; link and uplink:"
            + " blocks on the busiest of each, in one direction; planning: for each stripe");
    return lines;
  }
}
