package org.braid.cli.plan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.braid.cli.codes.CodeText;
import org.braid.cli.command.BaseCommand;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.ExitStatus;
import org.braid.cli.text.Json;
import org.braid.code.ErasureCode;
import org.braid.code.derive.NotRepairableException;
import org.braid.code.derive.RepairSearch.Effort;
import org.braid.placement.Topology;
import org.braid.plan.Plan;
import org.braid.plan.cost.Network;
import org.braid.plan.helper.HelperChoice;
import org.braid.plan.shape.RepairPlanner;
import org.braid.plan.shape.RepairPlanners;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "repair",
    description = {
      "Plans the repair of lost blocks: transfers between nodes and the predicted time.",
      "Chooses the helpers with the least traffic across racks. The new home of a lost block is"
          + " a free node of its rack, or else its own node.",
      "The exit status is 1 when the blocks cannot be rebuilt."
    },
    footer = {
      "",
      "Example: a repair along a binomial tree",
      "  braid plan repair rs-12-4 --lost 0 --topology 16x1 --shape ppr",
      "The fastest shape for two lost blocks on a slow network, drawn",
      "  braid plan repair lrc-12-2-2 --lost 0,6 --topology 4x6 --link-rate 1gbit --svg plan.svg"
    })
final class PlanRepairCommand extends BaseCommand {
  @Mixin private final PlanOptions options = new PlanOptions();

  @Option(
      names = "--lost",
      required = true,
      split = ",",
      paramLabel = "BLOCK",
      description = "Positions of the blocks to rebuild, counted from 0, as in 0,6.")
  private List<Integer> lost = new ArrayList<>();

  @Option(
      names = "--shape",
      defaultValue = "auto",
      paramLabel = "SHAPE",
      description = {
        "star: all helpers send to the new home; ppr: a binomial tree; chain: a pipeline;"
            + " racktree: sums inside racks first; auto: the fastest; default: ${DEFAULT-VALUE}."
      })
  @SuppressWarnings("NullAway.Init")
  private RepairPlanner shape;

  @Override
  protected CommandResult perform() throws IOException {
    ErasureCode code = options.code();
    List<Integer> wanted = List.copyOf(new TreeSet<>(lost));
    List<Integer> outside = wanted.stream().filter(b -> b < 0 || b >= code.n()).toList();
    if (!outside.isEmpty()) {
      throw wrong(
          "--lost names %s, a stripe of %s has 0..%d"
              .formatted(CodeText.named(outside), code.name(), code.n() - 1));
    }
    RackLayout layout = RackLayout.of(code, options.topology());
    Topology topology = options.topology();
    Network network = options.links();
    Map<Integer, Integer> roots = layout.roots(wanted);
    List<Integer> alive =
        IntStream.range(0, code.n()).filter(b -> !wanted.contains(b)).boxed().toList();
    HelperChoice choice =
        new HelperChoice(
            code, wanted, alive, layout::node, b -> roots.getOrDefault(b, -1), network);
    try {
      choice.search(Effort.MANY);
    } catch (NotRepairableException e) {
      err().println("braid: " + e.getMessage());
      ObjectNode object = Json.object().put("ok", false).put("error", e.getMessage());
      object.put("code", code.name()).put("missing", e.missing());
      wanted.forEach(object.putArray("lost")::add);
      return new CommandResult(ExitStatus.FAILED, object, List.of());
    }
    PlanReport report = new PlanReport(options, topology, "repair of " + CodeText.named(wanted));
    report.add(choice.plan(shape).orElseThrow());
    boolean chosen = RepairPlanners.shapes().stream().noneMatch(s -> s.name().equals(shape.name()));
    if (chosen) {
      List<Plan> all = new ArrayList<>();
      RepairPlanners.shapes().forEach(s -> choice.plan(s).ifPresent(all::add));
      report.compare(all);
    }
    report.draw();
    ObjectNode object = report.object();
    wanted.forEach(object.putArray("lost")::add);
    ObjectNode homes = object.putObject("homes");
    wanted.forEach(
        block -> homes.put(String.valueOf(block), topology.nodeName(roots.getOrDefault(block, 0))));
    return new CommandResult(ExitStatus.DONE, object, report.lines());
  }
}
