package org.braid.cli.demo;

import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.code.derive.Tolerance;
import org.braid.placement.PlacementException;
import org.braid.placement.StripeLimits;
import org.braid.placement.Topology;

/**
 * What a demo runs on.
 *
 * @param code the code
 * @param racks racks of the embedded cluster; node i stands in rack i mod racks
 * @param nodes DataNodes, at least as many as racks
 * @param blockSize bytes of an HDFS block, a multiple of 512
 * @param perRack most blocks of a stripe in a rack; empty: the fewest that fit
 * @param parallel stripes at once
 * @param slice bytes of a slice
 * @param seed of the random choices
 */
public record DemoSettings(
    ErasureCode code,
    int racks,
    int nodes,
    long blockSize,
    OptionalInt perRack,
    int parallel,
    int slice,
    long seed) {

  /** The shape of the cluster. */
  Topology topology() {
    Topology.Builder builder = Topology.builder();
    for (int node = 0; node < nodes; node++) {
      builder.add("rack" + node % racks + "-node" + node, "rack" + node % racks);
    }
    return builder.build();
  }

  /**
   * The limits of a stripe. The demo rebuilds blocks while a node is down, so a stripe must also
   * fit on any cluster of one node less: unless told otherwise, with the fewest blocks a rack that
   * allow this and that the code can lose.
   *
   * @throws PlacementException with the numbers when the story cannot be played
   */
  StripeLimits limits() {
    Topology topology = topology();
    StripeLimits limits =
        perRack.isPresent()
            ? StripeLimits.perRack(perRack.getAsInt())
            : StripeLimits.smallest(
                code.name(), code.n(), Tolerance.counted(code), topology, node -> true);
    limits.check(code.name(), code.n(), topology, node -> true);
    OptionalInt missed = misfit(limits, topology);
    while (missed.isPresent() && perRack.isEmpty() && limits.perRack() < Tolerance.counted(code)) {
      limits = StripeLimits.perRack(limits.perRack() + 1);
      missed = misfit(limits, topology);
    }
    if (missed.isPresent()) {
      throw new PlacementException(
          "nodes",
          nodes + 1,
          nodes,
          ("%s fits on %d nodes in %d racks with at most %d blocks of a stripe in a rack, but not"
                  + " while %s is down, so nothing could be rebuilt: give more --nodes or --racks%s")
              .formatted(
                  code.name(),
                  nodes,
                  racks,
                  limits.perRack(),
                  topology.nodeName(missed.getAsInt()),
                  limits.perRack() < Tolerance.counted(code) ? " or a larger --max-per-rack" : ""));
    }
    return limits;
  }

  /** A node without which a stripe does not fit. */
  private OptionalInt misfit(StripeLimits limits, Topology topology) {
    return IntStream.range(0, nodes)
        .filter(down -> !fits(limits, topology, node -> node != down))
        .findFirst();
  }

  /** The same with the limits spelled out. */
  DemoSettings with(StripeLimits limits) {
    return new DemoSettings(
        code, racks, nodes, blockSize, OptionalInt.of(limits.perRack()), parallel, slice, seed);
  }

  /** Whether a stripe fits on some of the nodes. */
  boolean fits(StripeLimits limits, Topology topology, IntPredicate running) {
    try {
      limits.check(code.name(), code.n(), topology, running);
      return true;
    } catch (PlacementException e) {
      return false;
    }
  }
}
