package org.braid.cli.plan;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.braid.cli.BaseCommand;
import org.braid.cli.ExitStatus;
import org.braid.cli.Outcome;
import org.braid.code.ErasureCode;
import org.braid.placement.Topology;
import org.braid.plan.EncodePlanner;
import org.braid.plan.Network;
import org.braid.plan.Plan;
import org.braid.plan.PlanCost;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "encode",
    description = {
      "Plans the encoding of a stripe: who sends what to whom, and how long it takes.",
      "Data and parity blocks are at their nodes of the stripe; gathering is done by the node of"
          + " the stripe at which it is fastest."
    },
    footer = {
      "",
      "Example: gathering compared with a pipeline over the data's nodes",
      "  braid plan encode rs-6-3 --topology 3x4"
    })
final class PlanEncodeCommand extends BaseCommand {
  @Mixin
  @SuppressWarnings("NullAway.Init")
  private PlanOptions options;

  @Option(
      names = "--shape",
      defaultValue = "auto",
      paramLabel = "SHAPE",
      description = {
        "gather: all data comes to one node; pipelined: parities grow on their way over the data's"
            + " nodes; auto: the faster one; default: ${DEFAULT-VALUE}."
      })
  @SuppressWarnings("NullAway.Init")
  private String shape;

  @Override
  protected Outcome perform() throws IOException {
    ErasureCode code = options.code();
    StripeLayout layout = StripeLayout.of(code, options.grid());
    Topology topology = options.grid().topology();
    Network network = options.network(topology);
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
        report.add(EncodePlanner.faster(gather, pipelined, network));
        report.compare(List.of(gather, pipelined));
      }
      default ->
          throw wrong("unknown encoding plan \"" + shape + "\"; known: gather, pipelined, auto");
    }
    report.draw();
    return new Outcome(ExitStatus.DONE, report.object(), report.lines());
  }
}
