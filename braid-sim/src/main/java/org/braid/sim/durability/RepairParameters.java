package org.braid.sim.durability;

import org.braid.plan.cost.Network;
import org.braid.plan.manage.RepairBudgets;
import org.braid.plan.shape.RepairPlanner;

/**
 * Parameters of a cluster's repairs.
 *
 * @param planner the shape of repairs
 * @param rates of links, of which repairs get a share
 * @param slice bytes of a slice
 * @param disk bytes a second that a node reads or writes for repairs
 * @param budgets limits of concurrent repairs
 * @param share part of the links and disks for repairs, above 0 and at most 1
 * @param detect seconds until a silent node counts as failed
 * @param delay seconds for which a lost block may come back before it is rebuilt
 * @param urgentSpare a stripe that survives at most this many further losses is repaired without
 *     delay; -1 for none
 */
public record RepairParameters(
    RepairPlanner planner,
    Network.Rates rates,
    long slice,
    double disk,
    RepairBudgets budgets,
    double share,
    double detect,
    double delay,
    int urgentSpare) {
  public RepairParameters {
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException(
          "a repair share of " + share + " of links and disks: must be above 0 and at most 1");
    }
    if (!(disk > 0)) {
      throw new IllegalArgumentException(
          "a disk rate of " + disk + " bytes a second: must be more than 0");
    }
    NumberChecks.requireFinite("a detection time", detect);
    NumberChecks.requireFinite("a repair delay", delay);
  }

  /** The network as planners of repairs see it. */
  Network network(EncodedCluster cluster) {
    return Network.of(cluster.topology())
        .with(rates.share(share))
        .with(Network.Volume.ofBlock(cluster.blockSize(), cluster.code().alpha(), slice));
  }

  /** A copy with another shape. */
  public RepairParameters with(RepairPlanner other) {
    return new RepairParameters(
        other, rates, slice, disk, budgets, share, detect, delay, urgentSpare);
  }

  /** The order in which several lost blocks of a stripe are rebuilt. */
  public enum Order {
    /** All by one plan, as the product does it. */
    TOGETHER,
    /** One after the other, in the order of their loss, as in textbooks. */
    ONE_BY_ONE
  }

  /** The distribution of the time of a repair. */
  public enum Law {
    /** Delays, a uniformly random place in the queue, and the time of the plan. */
    QUEUE,
    /** Exponential with the same mean, as in Markov chains. */
    EXPONENTIAL
  }

  /** Order of repairs and distribution of their times. */
  public record Course(Order order, Law law) {
    /** The product's order and queue. */
    public static final Course PRODUCT = new Course(Order.TOGETHER, Law.QUEUE);
  }
}
