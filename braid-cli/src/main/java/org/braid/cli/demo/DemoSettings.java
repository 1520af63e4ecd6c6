package org.braid.cli.demo;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.code.derive.Tolerance;
import org.braid.placement.EligibleNodes;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;
import org.braid.placement.rule.StripeLimits;
import org.braid.placement.rule.StripeRule;
import org.braid.placement.rule.StripeRules;

/**
 * The code and the cluster of a demo.
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
  private static final int FEWEST_RACKS = 6;

  /** The shape of the cluster. */
  Topology topology() {
    Topology.Builder builder = Topology.builder();
    for (int node = 0; node < nodes; node++) {
      builder.add("rack" + node % racks + "-node" + node, "rack" + node % racks);
    }
    return builder.build();
  }

  /** Racks for a demo of a code: one for each of its columns, else at least six. */
  public static int racks(ErasureCode code) {
    int columns = StripeRules.columns(code).size();
    if (columns > 0) {
      return columns;
    }
    int racks = FEWEST_RACKS;
    // In one rack more than there are blocks everything fits.
    while (racks <= code.n() && !fitsDemo(code, racks)) {
      racks++;
    }
    return racks;
  }

  private static boolean fitsDemo(ErasureCode code, int racks) {
    try {
      int nodes = racks * nodesPerRack(code);
      new DemoSettings(code, racks, nodes, 512, OptionalInt.empty(), 1, 512, 1).rule();
      return true;
    } catch (PlacementException e) {
      return false;
    }
  }

  /** Nodes of a rack: one more than a column of the code has blocks, else three. */
  public static int nodesPerRack(ErasureCode code) {
    return StripeRules.columns(code).stream().mapToInt(column -> column.size() + 1).max().orElse(3);
  }

  /**
   * The rule of a stripe. The demo rebuilds blocks while a node is down, so a stripe must also fit
   * on any cluster of one node less: unless told otherwise, with the fewest blocks a rack that
   * allow this and that the code can lose.
   *
   * @throws PlacementException with the numbers when the demo does not fit
   */
  StripeRule rule() {
    Topology topology = topology();
    StripeRule rule = StripeRules.on(code, perRack, EligibleNodes.all(topology));
    OptionalInt missed = misfit(rule, topology);
    Optional<StripeRule> wider = wider(rule);
    while (missed.isPresent() && perRack.isEmpty() && wider.isPresent()) {
      rule = wider.get();
      missed = misfit(rule, topology);
      wider = wider(rule);
    }
    if (missed.isPresent()) {
      throw new PlacementException(
          "nodes",
          nodes + 1,
          nodes,
          ("%s fits on %d nodes in %d racks with %s, but not while %s is down, so nothing could be"
                  + " rebuilt: give more --nodes or --racks%s")
              .formatted(
                  code.name(),
                  nodes,
                  racks,
                  rule.text(),
                  topology.nodeName(missed.getAsInt()),
                  wider.isPresent() ? " or a larger --max-per-rack" : ""));
    }
    return rule;
  }

  /** The rule with one more block a rack, if the code tolerates the loss of that many. */
  private Optional<StripeRule> wider(StripeRule rule) {
    int more = rule.perRack() + 1;
    return StripeRules.columns(code).isEmpty() && more <= Tolerance.counted(code)
        ? Optional.of(StripeRules.of(code, StripeLimits.perRack(more)))
        : Optional.empty();
  }

  /** A node without which a stripe does not fit. */
  private OptionalInt misfit(StripeRule rule, Topology topology) {
    return IntStream.range(0, nodes)
        .filter(down -> !fits(rule, EligibleNodes.of(topology, node -> node != down)))
        .findFirst();
  }

  /** The same with the blocks a rack spelled out. */
  DemoSettings with(StripeRule rule) {
    return new DemoSettings(
        code, racks, nodes, blockSize, OptionalInt.of(rule.perRack()), parallel, slice, seed);
  }

  /** Whether a stripe fits on the running nodes. */
  static boolean fits(StripeRule rule, EligibleNodes running) {
    try {
      rule.check(running);
      return true;
    } catch (PlacementException e) {
      return false;
    }
  }
}
