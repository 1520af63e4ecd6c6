package org.braid.sim.load;

import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.plan.Plan;
import org.braid.plan.cost.Network;
import org.braid.plan.helper.HelperChoice;
import org.braid.plan.shape.RepairPlanner;
import org.braid.sim.net.SimulatedNetwork;
import org.braid.sim.run.Payload;
import org.braid.sim.run.SimulatedEngine;

/**
 * Degraded reads: a node that needs a lost block rebuilds it, from helpers and by a plan that the
 * product chooses.
 */
public final class DegradedReads {
  private final Setting setting;
  private final SimulatedEngine engine;

  /**
   * Settings of degraded reads.
   *
   * @param code of the blocks
   * @param blockBytes bytes of a block
   * @param planner shape of plans
   * @param network as planners see it
   * @param slices of streams
   */
  public record Setting(
      ErasureCode code,
      long blockBytes,
      RepairPlanner planner,
      Network network,
      RecoveryRun.SlicePolicy slices) {}

  /** Degraded reads on a network that others may use, too. */
  public DegradedReads(Setting setting, SimulatedNetwork network) {
    this.setting = setting;
    engine = setting.slices().on(network);
  }

  /**
   * Begins to rebuild a block now.
   *
   * @param node that reads it
   * @param nodeOf nodes of the stripe's blocks
   * @param readable the blocks that can be read
   * @param done runs when the block is rebuilt
   * @return whether the block can be rebuilt
   */
  public boolean begin(int node, int block, int[] nodeOf, IntPredicate readable, Runnable done) {
    ErasureCode code = setting.code();
    List<Integer> alive =
        IntStream.range(0, code.n()).filter(b -> b != block && readable.test(b)).boxed().toList();
    Optional<Plan> plan =
        new HelperChoice(code, List.of(block), alive, b -> nodeOf[b], b -> node, setting.network())
            .plan(setting.planner());
    long length = Math.max(1, setting.blockBytes() / code.alpha());
    plan.ifPresent(one -> engine.begin(one, length, Payload.SIZES, run -> done.run()));
    return plan.isPresent();
  }

  /** Bytes of a block. */
  public long blockBytes() {
    return setting.blockBytes();
  }
}
