package org.braid.sim.load;

import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.braid.code.ErasureCode;
import org.braid.plan.HelperChoice;
import org.braid.plan.Network;
import org.braid.plan.Plan;
import org.braid.plan.RepairPlanner;
import org.braid.sim.net.Wires;
import org.braid.sim.run.Payload;
import org.braid.sim.run.SimulatedEngine;

/**
 * Rebuilds blocks for who needs their content, by the product's choice of helpers and its planners.
 */
public final class Rebuilding {
  private final Setting setting;
  private final SimulatedEngine engine;

  /**
   * How blocks are rebuilt.
   *
   * @param blockBytes bytes of a block
   * @param planner shape of rebuilding
   * @param network as planners see it
   * @param slices of streams
   */
  public record Setting(
      ErasureCode code,
      long blockBytes,
      RepairPlanner planner,
      Network network,
      RecoveryRun.SlicePolicy slices) {}

  /** On wires that others may use, too. */
  public Rebuilding(Setting setting, Wires wires) {
    this.setting = setting;
    engine = setting.slices().on(wires);
  }

  /**
   * Begins to rebuild a block now.
   *
   * @param node that needs it
   * @param nodeOf nodes of the stripe's blocks
   * @param readable which of the blocks can be read
   * @param done told when it is there
   * @return whether that is possible; nothing happens when it is not
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
