package org.braid.sim.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.placement.EligibleNodes;
import org.braid.placement.Topology;
import org.braid.placement.rule.StripeRule;
import org.braid.plan.manage.RepairJob;
import org.braid.plan.manage.RepairManager;
import org.braid.plan.manage.RepairPriority;
import org.braid.plan.manage.RepairPriority.Urgency;
import org.braid.plan.schedule.ClusterSnapshot;
import org.braid.plan.schedule.LostStripe;
import org.braid.plan.schedule.RepairScheduler;
import org.braid.plan.schedule.RepairScheduler.PlanSettings;
import org.braid.sim.net.SimulatedNetwork;
import org.braid.sim.run.SimulatedEngine;
import org.braid.sim.time.RandomStreams;
import org.braid.sim.time.Simulation;

/**
 * Nodes fail, and the product's repair manager rebuilds their blocks (PPR section 7.5). Measures
 * the time until the last block is rebuilt.
 */
public final class RecoveryRun {
  /** Stripes are submitted in batches of this size while fewer wait. */
  private static final int WINDOW = 400;

  private final Setting setting;
  private final SimulatedNetwork network;
  private final RandomStreams streams;

  /**
   * Settings of a run.
   *
   * @param rule the code and the placement of its stripes
   * @param blockBytes bytes of a block
   * @param stripes number of stripes on the cluster, one block a rack; 0 to make only stripes that
   *     lose a block
   * @param lostBlocks if stripes is 0: number of lost blocks, each of another stripe, on the failed
   *     nodes in turn
   * @param failedNodes number of random nodes that fail
   * @param scheduler chooses helpers and destinations
   * @param planning shape of repairs and the network as planners see it
   * @param management budgets, delays and time-outs
   * @param slices of streams
   */
  public record Setting(
      StripeRule rule,
      long blockBytes,
      long stripes,
      int lostBlocks,
      int failedNodes,
      RepairScheduler scheduler,
      PlanSettings planning,
      RepairManager.Settings management,
      SlicePolicy slices) {
    /**
     * Checks that enough nodes are left.
     *
     * @throws IllegalArgumentException with the numbers when too few are left
     */
    public void check(Topology topology) {
      int spare = topology.nodes() - failedNodes;
      if (failedNodes < 1 || spare < rule.code().n()) {
        throw new IllegalArgumentException(
            "%d of %d nodes fail, the %d left are fewer than the %d blocks of a stripe of %s"
                .formatted(
                    failedNodes,
                    topology.nodes(),
                    Math.max(0, spare),
                    rule.code().n(),
                    rule.code().name()));
      }
    }
  }

  /**
   * Slices of streams.
   *
   * @param bytes of a slice
   * @param queue slices that a stream buffers
   */
  public record SlicePolicy(long bytes, int queue) {
    /** An engine with these slices. */
    public SimulatedEngine on(SimulatedNetwork network) {
      return new SimulatedEngine(network, bytes, queue);
    }
  }

  /**
   * Measurements of a run.
   *
   * @param seconds until the last block is rebuilt
   * @param meanSeconds mean time until a block is rebuilt
   * @param repaired number of rebuilt blocks
   * @param givenUp number of lost blocks of the stripes that the manager gave up
   * @param mostAtOnce largest number of concurrent repairs
   */
  public record Result(
      double seconds, double meanSeconds, int repaired, int givenUp, int mostAtOnce) {}

  /** A recovery on an idle network. */
  public RecoveryRun(Setting setting, SimulatedNetwork network, RandomStreams streams) {
    setting.check(network.fabric().topology());
    this.setting = setting;
    this.network = network;
    this.streams = streams;
  }

  /** Runs until all lost blocks are rebuilt or given up. */
  public Result run() {
    Topology topology = network.fabric().topology();
    int[] failed =
        streams
            .of("failures")
            .ints(0, topology.nodes())
            .distinct()
            .limit(setting.failedNodes())
            .toArray();
    boolean[] isFailed = new boolean[topology.nodes()];
    ClusterSnapshot servers = ClusterSnapshot.of(topology);
    for (int node : failed) {
      servers = servers.without(node);
      isFailed[node] = true;
    }
    Iterator<LostStripe> lost =
        setting.stripes() > 0 ? ofTable(isFailed) : made(failed, isFailed).iterator();
    return new Recovery(servers).run(lost);
  }

  /** A running recovery. */
  private final class Recovery {
    private final Simulation simulation = network.simulation();
    private final RepairManager manager;
    private final RepairService service;
    private double sumOfSeconds;
    private long last;
    private int repaired;

    Recovery(ClusterSnapshot servers) {
      manager =
          new RepairManager(
              setting.management(),
              setting.scheduler(),
              setting.planning(),
              servers,
              streams.of("scheduler"));
      service = new RepairService(simulation, setting.slices().on(network), manager, this::count);
    }

    private void count(RepairJob job) {
      repaired += job.repair().destinations().size();
      sumOfSeconds += job.repair().destinations().size() * Simulation.seconds(simulation.now());
      last = simulation.now();
    }

    Result run(Iterator<LostStripe> lost) {
      int givenUp = 0;
      // The manager sorts all waiting stripes whenever a repair starts: it gets no more than it
      // needs.
      do {
        while (lost.hasNext() && manager.waiting().size() < WINDOW) {
          for (int i = 0; i < WINDOW && lost.hasNext(); i++) {
            service.submit(lost.next(), new RepairPriority(Urgency.LOSS, 0));
          }
        }
        int before = manager.waiting().size();
        while ((manager.waiting().size() > before / 2 || !lost.hasNext()) && simulation.step()) {}
        givenUp += manager.givenUp().stream().mapToInt(one -> one.stripe().lost().size()).sum();
      } while (lost.hasNext() || simulation.pending() > 0);
      return new Result(
          Simulation.seconds(last),
          sumOfSeconds / Math.max(1, repaired),
          repaired,
          givenUp,
          service.mostAtOnce());
    }
  }

  /** The stripes of a table with blocks on failed nodes. */
  private Iterator<LostStripe> ofTable(boolean[] failed) {
    StripeRule rule = setting.rule();
    CompactStripes table =
        new CompactStripes(
            network.fabric().topology(), rule.code().n(), setting.stripes(), streams.of("stripes"));
    Iterator<Long> hit = table.on(failed).iterator();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return hit.hasNext();
      }

      @Override
      public LostStripe next() {
        long stripe = hit.next();
        int[] nodeOf = table.nodes(stripe);
        List<Integer> lost =
            IntStream.range(0, nodeOf.length).filter(b -> failed[nodeOf[b]]).boxed().toList();
        return LostStripe.of("s" + stripe, rule, setting.blockBytes(), nodeOf, lost);
      }
    };
  }

  /** Stripes with one block on a failed node each. */
  private List<LostStripe> made(int[] failed, boolean[] isFailed) {
    StripeRule rule = setting.rule();
    RandomGenerator random = streams.of("stripes");
    List<LostStripe> lost = new ArrayList<>();
    for (int i = 0; i < setting.lostBlocks(); i++) {
      int block = random.nextInt(rule.code().n());
      int[] nodeOf = new int[rule.code().n()];
      Arrays.fill(nodeOf, StripeRule.NOWHERE);
      nodeOf[block] = failed[i % failed.length];
      List<Integer> others =
          IntStream.range(0, nodeOf.length).filter(b -> b != block).boxed().toList();
      int[] places =
          rule.destinations(
              EligibleNodes.of(network.fabric().topology(), node -> !isFailed[node]),
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
