package org.braid.cli.plan;

import java.nio.file.Path;
import java.util.Optional;
import org.braid.cli.command.CodeArgument;
import org.braid.code.ErasureCode;
import org.braid.placement.Topology;
import org.braid.plan.cost.Network;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of all plans: the code, the network, and the files of drawings. */
final class PlanOptions {
  @Mixin private final CodeArgument argument = new CodeArgument();

  @Option(
      names = "--topology",
      required = true,
      paramLabel = "RxN",
      description = {
        "R racks of N nodes, or SxRxN: R racks of N nodes at each of S sites. Blocks of the"
            + " stripe go to the racks in turn, one block a node; codes with columns have a"
            + " rack for each column."
      })
  @SuppressWarnings("NullAway.Init")
  private Topology topology;

  @Mixin private final NetworkOptions network = new NetworkOptions();

  @Option(names = "--dot", paramLabel = "FILE", description = "Write the plan as a Graphviz file.")
  private @Nullable Path dot;

  @Option(names = "--svg", paramLabel = "FILE", description = "Draw the plan as an SVG file.")
  private @Nullable Path svg;

  ErasureCode code() {
    return argument.code();
  }

  Topology topology() {
    return topology;
  }

  long blockSize() {
    return network.blockSize();
  }

  long slice() {
    return network.slice();
  }

  NetworkOptions network() {
    return network;
  }

  Optional<Path> dot() {
    return Optional.ofNullable(dot);
  }

  Optional<Path> svg() {
    return Optional.ofNullable(svg);
  }

  /** The network of the topology. */
  Network links() {
    return network.on(topology, code());
  }
}
