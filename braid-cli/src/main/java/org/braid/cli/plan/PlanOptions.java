package org.braid.cli.plan;

import java.nio.file.Path;
import java.util.Optional;
import org.braid.cli.CodeArgument;
import org.braid.code.ErasureCode;
import org.braid.placement.Topology;
import org.braid.plan.Network;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What both kinds of plans are told: the code, the network, where drawings go. */
final class PlanOptions {
  @Mixin
  @SuppressWarnings("NullAway.Init")
  private CodeArgument argument;

  @Option(
      names = "--topology",
      required = true,
      paramLabel = "RxN",
      converter = PlanConverters.OfGrid.class,
      description = {
        "R racks of N nodes, or SxRxN: that at each of S sites. A stripe has one block a node and"
            + " goes round the racks; rack codes have a column in each rack."
      })
  @SuppressWarnings("NullAway.Init")
  private Grid grid;

  @Mixin private final NetworkOptions network = new NetworkOptions();

  @Option(names = "--dot", paramLabel = "FILE", description = "Write the plan for Graphviz.")
  private @Nullable Path dot;

  @Option(names = "--svg", paramLabel = "FILE", description = "Draw the plan.")
  private @Nullable Path svg;

  ErasureCode code() {
    return argument.code();
  }

  Grid grid() {
    return grid;
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

  Network network(Topology topology) {
    return network.on(topology, code());
  }
}
