package org.braid.cli.plan;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.braid.cli.command.BaseCommand;
import org.braid.cli.command.CommandResult;
import org.braid.cli.command.ExitStatus;
import org.braid.code.ErasureCode;
import org.braid.placement.Topology;
import org.braid.plan.Plan;
import org.braid.plan.cost.Network;
import org.braid.plan.cost.PlanCost;
import org.braid.plan.cost.PlanTime;
import org.braid.plan.shape.EncodePlanner;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "encode",
    description = {
      "Plans the encoding of a stripe: transfers between nodes and the predicted time.",
      "Data and parity blocks are at their final nodes. With gather, the node of"
          + " the stripe with the shortest predicted time encodes."
    },
    footer = {
      "",
      "Example: gathering compared with a pipeline over the data's nodes",
      "  braid plan encode rs-6-3 --topology 3x4"
    })
final class PlanEncodeCommand extends BaseCommand {
  @Mixin private final PlanOptions options = new PlanOptions();

  @Option(
      names = "--shape",
      defaultValue = "auto",
      paramLabel = "SHAPE",
      description = {
        "gather: one node reads all data; pipelined: partial parities pass through the nodes of"
            + " the data; auto: the faster one; default: ${DEFAULT-VALUE}."
      })
  @SuppressWarnings("NullAway.Init")
  private String shape;

  @Override
  protected CommandResult perform() throws IOException {
    ErasureCode code = options.code();
    RackLayout layout = RackLayout.of(code, options.topology());
    Topology topology = options.topology();
    Network network = options.links();
    int[] sources = layout.nodes(0, code.k());
    int[] parities = layout.nodes(code.k(), code.n());
    Plan gather =
        IntStream.range(0, code.n())
            .mapToObj(b -> EncodePlanner.gather(code, sources, layout.node(b), parities))
            .min(
                Comparator.comparingDouble(
                    plan -> PlanCost.of(plan, code.alpha(), network).seconds()))
            .orElseThrow();
    Plan pipelined = EncodePlanner.pipelined(code, sources, parities, network);
    PlanReport report = new PlanReport(options, topology, "encoding");
    switch (shape) {
      case "gather" -> report.add(gather);
      case "pipelined" -> report.add(pipelined);
      case "auto" -> {
        report.add(PlanTime.fastest(List.of(gather, pipelined), network));
        report.compare(List.of(gather, pipelined));
      }
      default ->
          throw wrong("unknown encoding plan \"" + shape + "\"; known: gather, pipelined, auto");
    }
    report.draw();
    return new CommandResult(ExitStatus.DONE, report.object(), report.lines());
  }
}
