package org.braid.cli.sim;

import java.util.OptionalInt;
import org.braid.cli.command.Converters;
import org.braid.cli.plan.BudgetOptions;
import org.braid.cli.plan.NetworkOptions;
import org.braid.placement.PlacementException;
import org.braid.placement.Topology;
import org.braid.plan.cost.Network;
import org.braid.plan.manage.RepairBudgets;
import org.braid.plan.shape.RepairPlanner;
import org.braid.sim.durability.RepairParameters;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of a simulated cluster: nodes, data, links and repairs. */
final class ClusterOptions {
  private static final int NODES_A_RACK = 20;
  private static final int MOST_NODES = 100_000;

  @Option(
      names = "--nodes",
      required = true,
      paramLabel = "N",
      converter = Converters.Count.class,
      description = "Number of nodes.")
  private int nodes;

  @Option(
      names = "--racks",
      paramLabel = "R",
      converter = Converters.Count.class,
      description = "Number of racks; default: one for every 20 nodes.")
  private int racks;

  @Option(
      names = "--sites",
      defaultValue = "1",
      paramLabel = "S",
      converter = Converters.Count.class,
      description =
          "Number of sites, among which the racks are divided; default:" + " ${DEFAULT-VALUE}.")
  private int sites;

  @Option(
      names = "--disk",
      defaultValue = "36t",
      paramLabel = "SIZE",
      converter = SimConverters.Capacity.class,
      description =
          "Bytes of data and parity that a node stores, as in 36t; default:" + " ${DEFAULT-VALUE}.")
  private double disk;

  @Mixin private final NetworkOptions network = new NetworkOptions();

  @Option(
      names = "--disk-rate",
      defaultValue = "8gbit",
      paramLabel = "RATE",
      converter = Converters.Rate.class,
      description =
          "Rate at which all disks of a node together read and write, as in 8gbit;"
              + " default: ${DEFAULT-VALUE}.")
  private double diskRate;

  @Option(
      names = "--repair-share",
      defaultValue = "0.25",
      paramLabel = "PART",
      converter = SimConverters.Amount.class,
      description =
          "Fraction of the bandwidth of links and disks that repairs may use, above 0"
              + " and at most 1; default: ${DEFAULT-VALUE}.")
  private double share;

  @Option(
      names = "--detect",
      defaultValue = "2s",
      paramLabel = "TIME",
      converter = SimConverters.Time.class,
      description = "Time from the failure of a node to its detection; default: ${DEFAULT-VALUE}.")
  private double detect;

  @Option(
      names = "--delay",
      defaultValue = "15m",
      paramLabel = "TIME",
      converter = SimConverters.Time.class,
      description = {
        "Time from the detection of a failure to the repair of its blocks, so that"
            + " short outages start no repairs (braid.repair.delay); default:"
            + " ${DEFAULT-VALUE}."
      })
  private double delay;

  @Option(
      names = "--urgent-spare",
      defaultValue = "1",
      paramLabel = "N",
      description = {
        "Stripes that survive at most this number of further block losses are"
            + " repaired without delay (braid.repair.urgent-spare); default:"
            + " ${DEFAULT-VALUE}."
      })
  private int urgentSpare;

  @Mixin private final BudgetOptions budgets = new BudgetOptions();

  @Option(
      names = "--max-per-rack",
      paramLabel = "C",
      converter = Converters.Count.class,
      description =
          "Largest number of blocks of a stripe in a rack; default: the smallest that"
              + " the racks allow.")
  private int perRack;

  int racks() {
    return racks > 0 ? racks : Math.max(sites, (nodes + NODES_A_RACK - 1) / NODES_A_RACK);
  }

  double disk() {
    return disk;
  }

  long blockSize() {
    return network.blockSize();
  }

  OptionalInt perRack() {
    return perRack == 0 ? OptionalInt.empty() : OptionalInt.of(perRack);
  }

  /**
   * Nodes in racks of equal size, or one more, named {@code r0n0}, or {@code s0r0n0} where there
   * are sites.
   *
   * @throws PlacementException when there are fewer nodes than racks, fewer racks than sites, or
   *     more nodes than are simulated
   */
  Topology topology() {
    refuse("nodes", racks(), nodes, "%d nodes in %d racks: each rack needs at least one node");
    refuse("racks", sites, racks(), "%d racks at %d sites: each site needs at least one rack");
    if (nodes > MOST_NODES) {
      throw new PlacementException(
          "nodes",
          nodes,
          MOST_NODES,
          "%d nodes, at most %d are simulated".formatted(nodes, MOST_NODES));
    }
    Topology.Builder builder = Topology.builder();
    for (int rack = 0; rack < racks(); rack++) {
      int site = (int) ((long) rack * sites / racks());
      String prefix = sites == 1 ? "" : "s" + site;
      int members = nodes / racks() + (rack < nodes % racks() ? 1 : 0);
      for (int node = 0; node < members; node++) {
        builder.add(prefix + "r" + rack + "n" + node, prefix + "r" + rack, "s" + site);
      }
    }
    return builder.build();
  }

  private static void refuse(String what, int needed, int there, String message) {
    if (there < needed) {
      throw new PlacementException(what, needed, there, message.formatted(there, needed));
    }
  }

  Network.Rates rates() {
    return network.rates();
  }

  /**
   * The parameters of repairs.
   *
   * @throws IllegalArgumentException when a value is out of range
   */
  RepairParameters repairs(RepairPlanner planner) {
    return new RepairParameters(
        planner,
        rates(),
        network.slice(),
        diskRate,
        new RepairBudgets(budgets.perNode(), budgets.perUplink()),
        share,
        detect,
        delay,
        urgentSpare);
  }
}
