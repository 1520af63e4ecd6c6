package org.braid.sim.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.braid.placement.StripeRule;
import org.braid.placement.Topology;
import org.braid.plan.manage.Demand;
import org.braid.plan.manage.Demand.Urgency;
import org.braid.plan.manage.Job;
import org.braid.plan.manage.LostStripe;
import org.braid.plan.manage.RepairManager;
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
  /** Stripes that the manager has at once, at most twice as many. */
  private static final int WINDOW = 400;

  private final Setting setting;
  private final Wires wires;
  private final Streams streams;

  /**
   * What is recovered, and how.
   *
   * @param rule the code, and where its blocks may be
   * @param blockBytes bytes of a block
   * @param stripes on the cluster, one block a rack, of which those with blocks on failed nodes are
   *     repaired; 0 for no others than those that lose a block
   * @param lostBlocks without stripes: blocks on the failed nodes, each of another stripe
   * @param failedNodes nodes that fail, at random, the blocks spread over them in turn
   * @param scheduler chooses helpers and destinations
   * @param shaping shape of repairs and the planner's view of the network
   * @param management budgets, delays and time-outs
   * @param engine the slices of streams
   */
  public record Setting(
      StripeRule rule,
      long blockBytes,
      long stripes,
      int lostBlocks,
      int failedNodes,
      RepairScheduler scheduler,
      Shaping shaping,
      RepairManager.Settings management,
      SlicePolicy engine) {
    /**
     * Checks that there are places for what is rebuilt.
     *
     * @throws IllegalArgumentException with the numbers when there are not
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
    setting.check(wires.fabric().topology());
    this.setting = setting;
    this.wires = wires;
    this.streams = streams;
  }

  /** Runs it. */
  public Result run() {
    Topology topology = wires.fabric().topology();
    int[] failed =
        streams
            .of("failures")
            .ints(0, topology.nodes())
            .distinct()
            .limit(setting.failedNodes())
            .toArray();
    boolean[] isFailed = new boolean[topology.nodes()];
    Servers servers = Servers.of(topology);
    for (int node : failed) {
      servers = servers.without(node);
      isFailed[node] = true;
    }
    Iterator<LostStripe> lost =
        setting.stripes() > 0 ? ofTable(isFailed) : made(failed, isFailed).iterator();
    return new Recovery(servers).run(lost);
  }

  /** A recovery that runs. */
  private final class Recovery {
    private final Simulation simulation = wires.simulation();
    private final RepairManager manager;
    private final RepairService service;
    private double sumOfSeconds;
    private long last;
    private int repaired;

    Recovery(Servers servers) {
      manager =
          new RepairManager(
              setting.management(),
              setting.scheduler(),
              setting.shaping(),
              servers,
              streams.of("scheduler"));
      service = new RepairService(simulation, setting.engine().on(wires), manager, this::count);
    }

    private void count(Job job) {
      repaired += job.assignment().destinations().size();
      sumOfSeconds += job.assignment().destinations().size() * Simulation.seconds(simulation.now());
      last = simulation.now();
    }

    Result run(Iterator<LostStripe> lost) {
      int givenUp = 0;
      // The manager sorts what waits whenever something starts: it is given no more than it sees.
      do {
        while (lost.hasNext() && manager.waiting().size() < WINDOW) {
          for (int i = 0; i < WINDOW && lost.hasNext(); i++) {
            service.submit(lost.next(), new Demand(Urgency.LOSS, 0));
          }
        }
        int before = manager.waiting().size();
        while ((manager.waiting().size() > before / 2 || !lost.hasNext()) && simulation.step()) {}
        givenUp += manager.givenUp().size();
      } while (lost.hasNext() || simulation.pending() > 0);
      return new Result(
          Simulation.seconds(last),
          sumOfSeconds / Math.max(1, repaired),
          repaired,
          givenUp,
          service.mostAtOnce());
    }
  }

  /** The stripes of a table that lost blocks. */
  private Iterator<LostStripe> ofTable(boolean[] failed) {
    StripeRule rule = setting.rule();
    StripeTable table =
        new StripeTable(
            wires.fabric().topology(), rule.code().n(), setting.stripes(), streams.of("stripes"));
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

  /** Stripes that each have one block on one of the failed nodes and none on the others. */
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
              wires.fabric().topology(), node -> !isFailed[node], nodeOf, others, random);
      for (int j = 0; j < places.length; j++) {
        nodeOf[others.get(j)] = places[j];
      }
      lost.add(LostStripe.of("s" + i, rule, setting.blockBytes(), nodeOf, List.of(block)));
    }
    return lost;
  }
}
