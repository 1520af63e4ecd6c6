package org.braid.cli.plan;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeSet;
import org.braid.cli.BaseCommand;
import org.braid.cli.CodeArgument;
import org.braid.cli.Converters;
import org.braid.cli.ExitStatus;
import org.braid.cli.Outcome;
import org.braid.cli.SeedOption;
import org.braid.cli.codes.Blocks;
import org.braid.cli.text.Json;
import org.braid.cli.text.TextTable;
import org.braid.experiment.text.Sizes;
import org.braid.placement.ReplicationPolicies;
import org.braid.placement.StripeLimits;
import org.braid.placement.StripeRule;
import org.braid.placement.StripeRules;
import org.braid.placement.Topology;
import org.braid.plan.Network;
import org.braid.plan.RepairPlanner;
import org.braid.plan.manage.Budgets;
import org.braid.plan.manage.LoadBound;
import org.braid.plan.manage.LoadReport;
import org.braid.plan.manage.LostStripe;
import org.braid.plan.manage.RepairScheduler;
import org.braid.plan.manage.RepairScheduler.Shaping;
import org.braid.plan.manage.RepairSchedulers;
import org.braid.plan.manage.Servers;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "recover",
    description = {
      "Schedules the repair of all blocks that nodes take with them: which helpers, which new"
          + " homes, how the load is spread, and how long it takes under budgets.",
      "mppr: sources and destinations of the highest weight, one stripe after the other (PPR"
          + " section 5); together: all stripes against each other; arrival: each for itself. The"
          + " last line is what no scheduler can go below.",
      "The exit status is 1 when a stripe cannot be repaired."
    },
    footer = {
      "",
      "Example: a node of 100 is lost, with 1000 stripes on them",
      "  braid plan recover rs-12-4 --topology 20x5 --stripes 1000 --shape ppr",
      "Three blocks wanted by readers, a slow network",
      "  braid plan recover rs-6-3 --topology 10x4 --reads 3 --link-rate 1gbit --block-size 64m"
    })
final class PlanRecoverCommand extends BaseCommand {
  private static final int MAX_STRIPES = 100_000;

  @Mixin
  @SuppressWarnings("NullAway.Init")
  private CodeArgument argument;

  @Option(
      names = "--topology",
      required = true,
      paramLabel = "RxN",
      converter = PlanConverters.OfGrid.class,
      description = "R racks of N nodes, or SxRxN: that at each of S sites.")
  @SuppressWarnings("NullAway.Init")
  private Grid grid;

  @Option(
      names = "--stripes",
      defaultValue = "1000",
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Stripes on the cluster; default: ${DEFAULT-VALUE}.")
  private int stripes;

  @Option(
      names = "--node",
      split = ",",
      defaultValue = "0",
      paramLabel = "NODE",
      description = "Numbers of the nodes that are lost, rack by rack; default: ${DEFAULT-VALUE}.")
  private List<Integer> lost = new ArrayList<>();

  @Option(
      names = "--scheduler",
      defaultValue = "all",
      paramLabel = "NAME",
      description = "mppr, together, arrival or all; default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init")
  private String scheduler;

  @Option(
      names = "--shape",
      defaultValue = "chain",
      paramLabel = "SHAPE",
      description =
          "star, ppr, chain, racktree or auto, for each repair the fastest; default:"
              + " ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init")
  private RepairPlanner shape;

  @Option(
      names = "--policy",
      defaultValue = "random",
      paramLabel = "POLICY",
      description =
          "How the stripes were placed, as braid place list has it; default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init")
  private String policy;

  @Option(
      names = "--max-per-rack",
      paramLabel = "C",
      converter = Converters.Count.class,
      description = "Blocks of a stripe in a rack at most; default: as few as fit.")
  private int perRack;

  @Mixin private final BudgetOptions budgets = new BudgetOptions();

  @Option(
      names = "--cached",
      defaultValue = "0",
      paramLabel = "PART",
      description =
          "Part of the blocks that nodes have in memory, 0 to 1; default: ${DEFAULT-VALUE}.")
  private double cached;

  @Option(
      names = "--user-load",
      split = ",",
      paramLabel = "NODE=MB",
      description = "Megabytes of users' traffic that a node is handling, as in 3=500.")
  private Map<Integer, Double> userLoad = new LinkedHashMap<>();

  @Option(
      names = "--reads",
      defaultValue = "0",
      paramLabel = "N",
      description =
          "So many of the lost blocks are waited for by readers; default: ${DEFAULT-VALUE}.")
  private int reads;

  @Mixin private final SeedOption seed = new SeedOption();

  @Mixin private final NetworkOptions network = new NetworkOptions();

  @Override
  protected Outcome perform() {
    List<RepairScheduler> schedulers =
        scheduler.equals("all") ? RepairSchedulers.all() : List.of(named(scheduler));
    Topology topology = grid.topology();
    Servers servers = servers(topology);
    StripeLimits limits = limits(topology);
    Recovery recovery =
        new Recovery(
            argument.code(),
            topology,
            limits,
            ReplicationPolicies.named(policyName()),
            network.blockSize());
    List<LostStripe> damaged =
        recovery.damaged(stripes, new TreeSet<>(lost), cached, reads, seed.random());
    Network links = network.on(topology, argument.code());
    Shaping shaping = new Shaping(shape, links);
    List<Recovery.Result> results = new ArrayList<>();
    for (RepairScheduler each : schedulers) {
      results.add(
          Recovery.run(
              damaged,
              servers,
              shaping,
              each,
              new Budgets(budgets.perNode(), budgets.perUplink()),
              seed.random()));
    }
    LoadBound bound = LoadBound.of(damaged, servers, links);
    boolean whole = results.stream().allMatch(result -> result.refused().isEmpty());
    results.forEach(
        result ->
            result.refused().stream()
                .limit(3)
                .forEach(r -> err().println("braid: " + result.scheduler() + ": " + r.reason())));
    return new Outcome(
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

  private String policyName() {
    try {
      return ReplicationPolicies.named(policy).name();
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private StripeLimits limits(Topology topology) {
    OptionalInt most = perRack == 0 ? OptionalInt.empty() : OptionalInt.of(perRack);
    StripeRule rule = StripeRules.on(argument.code(), most, topology, node -> true);
    return StripeLimits.perRack(rule.perRack());
  }

  private Servers servers(Topology topology) {
    if (stripes > MAX_STRIPES) {
      throw wrong("--stripes %d, at most %d are planned for".formatted(stripes, MAX_STRIPES));
    }
    if (!(cached >= 0 && cached <= 1)) {
      throw wrong("--cached %s, needed is a part from 0 to 1".formatted(cached));
    }
    if (reads < 0) {
      throw wrong("--reads %d, needed is 0 or more".formatted(reads));
    }
    Servers servers = Servers.of(topology);
    for (int node : lost) {
      requireNode("--node", node, topology);
      servers = servers.without(node);
    }
    for (Map.Entry<Integer, Double> load : userLoad.entrySet()) {
      requireNode("--user-load", load.getKey(), topology);
      if (!(load.getValue() >= 0) || load.getValue().isInfinite()) {
        throw wrong("--user-load %s, needed is 0 or more".formatted(load.getValue()));
      }
      servers = servers.withUserLoad(load.getKey(), load.getValue());
    }
    return servers;
  }

  private void requireNode(String option, int node, Topology topology) {
    if (node < 0 || node >= topology.nodes()) {
      throw wrong(
          "%s names node %d, %s has 0..%d".formatted(option, node, grid, topology.nodes() - 1));
    }
  }

  private ObjectNode object(
      List<LostStripe> damaged,
      StripeLimits limits,
      List<Recovery.Result> results,
      LoadBound bound) {
    ObjectNode object =
        Json.object().put("code", argument.code().name()).put("topology", grid.toString());
    object.put("shape", shape.name()).put("policy", policy).put("stripes", stripes);
    object.put("per_rack", limits.perRack()).put("seed", seed.seed());
    new TreeSet<>(lost).forEach(object.putArray("lost_nodes")::add);
    object.put("repairs", damaged.size()).put("lost_blocks", blocks(damaged));
    object.put("per_node", budgets.perNode()).put("per_uplink", budgets.perUplink());
    network.put(object);
    ArrayNode schedulers = object.putArray("schedulers");
    for (Recovery.Result result : results) {
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
      List<Recovery.Result> results,
      LoadBound bound) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s lost of %d with %s of %s by %s, at most %d of a stripe in a rack: %s to repair by %s"
            .formatted(
                Sizes.count(new TreeSet<>(lost).size(), "node"),
                grid.topology().nodes(),
                Sizes.count(stripes, "stripe"),
                argument.code().name(),
                policy,
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
    for (Recovery.Result result : results) {
      LoadReport load = result.load();
      table.row(
          result.scheduler(),
          load.source(),
          load.destination(),
          Blocks.number(load.node()),
          Blocks.number(load.uplink()),
          Blocks.number(load.crossRack()),
          Blocks.number(result.seconds()),
          reads == 0 ? "-" : Blocks.number(result.readSeconds()),
          result.mostAtOnce(),
          Blocks.number(Math.rint(result.planningMicros())));
    }
    table.row(
        "at least",
        bound.source(),
        bound.destination(),
        Blocks.number(bound.node()),
        Blocks.number(bound.uplink()),
        Blocks.number(bound.crossRack()),
        Blocks.number(bound.seconds()),
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
