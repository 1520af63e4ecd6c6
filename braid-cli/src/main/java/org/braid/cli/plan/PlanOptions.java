package org.braid.cli.plan;

import java.nio.file.Path;
import java.util.Optional;
import org.braid.cli.CodeArgument;
import org.braid.cli.Converters;
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
        "R racks of N nodes. A stripe has one block a node and goes round the racks; rack codes"
            + " have a column in each rack."
      })
  @SuppressWarnings("NullAway.Init")
  private Grid grid;

  @Option(
      names = "--block-size",
      defaultValue = "128m",
      paramLabel = "SIZE",
      converter = Converters.Size.class,
      description = "Bytes of a block; default: ${DEFAULT-VALUE}.")
  private long blockSize;

  @Option(
      names = "--slice",
      defaultValue = "256k",
      paramLabel = "SIZE",
      converter = Converters.Size.class,
      description = {
        "Bytes that are sent on at a time; default: ${DEFAULT-VALUE}. With the block's size, each"
            + " node stores all before it sends."
      })
  private long slice;

  @Option(
      names = "--link-rate",
      defaultValue = "10gbit",
      paramLabel = "RATE",
      converter = PlanConverters.Rate.class,
      description = "Rate of a node's link, as in 100mbit; default: ${DEFAULT-VALUE}.")
  private double linkRate;

  @Option(
      names = "--oversubscription",
      defaultValue = "4",
      paramLabel = "X",
      converter = PlanConverters.Ratio.class,
      description = {
        "What the links of a rack's nodes add up to, over the rate of the rack's uplink;"
            + " default: ${DEFAULT-VALUE}."
      })
  private double oversubscription;

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
    return blockSize;
  }

  long slice() {
    return slice;
  }

  double linkRate() {
    return linkRate;
  }

  double oversubscription() {
    return oversubscription;
  }

  Optional<Path> dot() {
    return Optional.ofNullable(dot);
  }

  Optional<Path> svg() {
    return Optional.ofNullable(svg);
  }

  Network network(Topology topology) {
    return Network.of(topology)
        .with(new Network.Rates(linkRate, oversubscription))
        .with(Network.Volume.ofBlock(blockSize, argument.code().alpha(), slice));
  }
}
