package org.braid.sim.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.braid.placement.StripeRule;
import org.braid.placement.Topology;
import org.braid.plan.manage.Demand;
import org.braid.plan.manage.Demand.Urgency;
import org.braid.plan.manage.LostStripe;
import org.braid.plan.manage.RepairManager;
import org.braid.plan.manage.RepairManager.GivenUp;
import org.braid.plan.manage.RepairScheduler;
import org.braid.plan.manage.RepairScheduler.Shaping;
import org.braid.plan.manage.Servers;
import org.braid.sim.net.Wires;
import org.braid.sim.run.SimulatedEngine;
import org.braid.sim.time.Simulation;
import org.braid.sim.time.Streams;

/**
 * Nodes fail, and the product's repair manager rebuilds what was on them (PPR section 7.5): how
 * long until the last block is back.
 */
public final class RecoveryRun {
  private final Setting setting;
  private final Wires wires;
  private final Streams streams;

  /**
   * What is recovered, and how.
   *
   * @param rule the code, and where its blocks may be
   * @param blockBytes bytes of a block
   * @param lostBlocks blocks on the failed nodes, each of another stripe
   * @param failedNodes nodes that fail, at random, the blocks spread over them in turn
   * @param scheduler chooses helpers and destinations
   * @param shaping shape of repairs and the planner's view of the network
   * @param management budgets, delays and time-outs
   * @param engine the slices of streams
   */
  public record Setting(
      StripeRule rule,
      long blockBytes,
      int lostBlocks,
      int failedNodes,
      RepairScheduler scheduler,
      Shaping shaping,
      RepairManager.Settings management,
      SlicePolicy engine) {}

  /**
   * How streams are cut.
   *
   * @param bytes of a slice
   * @param queue slices that a stream holds
   */
  public record SlicePolicy(long bytes, int queue) {
    /** An engine on wires. */
    public SimulatedEngine on(Wires wires) {
      return new SimulatedEngine(wires, bytes, queue);
    }
  }

  /**
   * What was measured.
   *
   * @param seconds from the failure until the last block is back
   * @param meanSeconds until a block is back, on average
   * @param repaired blocks that came back
   * @param givenUp blocks that did not
   * @param mostAtOnce repairs that ran at once, at most
   */
  public record Result(
      double seconds, double meanSeconds, int repaired, int givenUp, int mostAtOnce) {}

  /** A recovery on idle wires. */
  public RecoveryRun(Setting setting, Wires wires, Streams streams) {
    Topology topology = wires.fabric().topology();
    int spare = topology.nodes() - setting.failedNodes();
    if (setting.failedNodes() < 1 || spare < setting.rule().code().n()) {
      throw new IllegalArgumentException(
          "%d of %d nodes fail, the %d left are fewer than the %d blocks of a stripe of %s"
              .formatted(
                  setting.failedNodes(),
                  topology.nodes(),
                  Math.max(0, spare),
                  setting.rule().code().n(),
                  setting.rule().code().name()));
    }
    this.setting = setting;
    this.wires = wires;
    this.streams = streams;
  }

  /** Runs it. */
  public Result run() {
    Topology topology = wires.fabric().topology();
    Simulation simulation = wires.simulation();
    int[] failed =
        streams
            .of("failures")
            .ints(0, topology.nodes())
            .distinct()
            .limit(setting.failedNodes())
            .toArray();
    Servers servers = Servers.of(topology);
    for (int node : failed) {
      servers = servers.without(node);
    }
    RepairManager manager =
        new RepairManager(
            setting.management(),
            setting.scheduler(),
            setting.shaping(),
            servers,
            streams.of("scheduler"));
    double[] sum = {0};
    long[] last = {0};
    int[] repaired = {0};
    RepairService service =
        new RepairService(
            simulation,
            setting.engine().on(wires),
            manager,
            job -> {
              repaired[0]++;
              sum[0] += Simulation.seconds(simulation.now());
              last[0] = simulation.now();
            });
    for (LostStripe stripe : lost(failed)) {
      service.submit(stripe, new Demand(Urgency.LOSS, 0));
    }
    simulation.run();
    List<GivenUp> givenUp = manager.givenUp();
    return new Result(
        Simulation.seconds(last[0]),
        sum[0] / Math.max(1, repaired[0]),
        repaired[0],
        givenUp.size(),
        service.mostAtOnce());
  }

  /** Stripes that each have one block on one of the failed nodes and none on the others. */
  private List<LostStripe> lost(int[] failed) {
    Topology topology = wires.fabric().topology();
    StripeRule rule = setting.rule();
    RandomGenerator random = streams.of("stripes");
    List<LostStripe> lost = new ArrayList<>();
    for (int i = 0; i < setting.lostBlocks(); i++) {
      int block = random.nextInt(rule.code().n());
      int home = failed[i % failed.length];
      int[] nodeOf = new int[rule.code().n()];
      Arrays.fill(nodeOf, StripeRule.NOWHERE);
      nodeOf[block] = home;
      List<Integer> others = new ArrayList<>();
      for (int other = 0; other < nodeOf.length; other++) {
        if (other != block) {
          others.add(other);
        }
      }
      int[] places =
          rule.destinations(
              topology,
              node -> Arrays.stream(failed).noneMatch(f -> f == node),
              nodeOf,
              others,
              random);
      for (int j = 0; j < places.length; j++) {
        nodeOf[others.get(j)] = places[j];
      }
      lost.add(LostStripe.of("s" + i, rule, setting.blockBytes(), nodeOf, List.of(block)));
    }
    return lost;
  }
}
