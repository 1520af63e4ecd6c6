package org.braid.sim.durability;

import org.braid.plan.Network;
import org.braid.plan.RepairPlanner;
import org.braid.plan.manage.Budgets;

/**
 * How a cluster repairs.
 *
 * @param planner the shape of repairs
 * @param rates links, of which repairs get a share
 * @param slice bytes that are sent on at a time
 * @param disk bytes a second that a node reads or writes for repairs
 * @param budgets how many repairs run at once
 * @param share part of links and disks that repairs may take, above 0 and at most 1
 * @param detect seconds until a silent node counts as lost
 * @param delay seconds that a lost block may come back before it is rebuilt
 * @param urgentSpare stripes that can lose only so many blocks more, or fewer, do not wait; -1 for
 *     none
 */
public record RepairSettings(
    RepairPlanner planner,
    Network.Rates rates,
    long slice,
    double disk,
    Budgets budgets,
    double share,
    double detect,
    double delay,
    int urgentSpare) {
  public RepairSettings {
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException(
          "repairs get " + share + " of links and disks, needed is above 0 and at most 1");
    }
    if (!(disk > 0)) {
      throw new IllegalArgumentException("disks of " + disk + " bytes a second read nothing");
    }
    Times.requireFinite("a time until nodes count as lost", detect);
    Times.requireFinite("a delay of repairs", delay);
  }

  /** The network that repairs see. */
  Network network(Cluster cluster) {
    return Network.of(cluster.topology())
        .with(rates.share(share))
        .with(Network.Volume.ofBlock(cluster.blockSize(), cluster.code().alpha(), slice));
  }

  /** The same with another shape. */
  public RepairSettings with(RepairPlanner other) {
    return new RepairSettings(
        other, rates, slice, disk, budgets, share, detect, delay, urgentSpare);
  }

  /** How blocks of a stripe that lost several come back. */
  public enum Order {
    /** All in one pass, as the product plans them. */
    TOGETHER,
    /** One after the other, the first lost first, as textbooks have it. */
    ONE_BY_ONE
  }

  /** The distribution of the time that a repair takes. */
  public enum Law {
    /** Delays, a uniform place in the queue, and the plan's own time. */
    QUEUE,
    /** Exponential with the same mean, as Markov chains need it. */
    EXPONENTIAL
  }

  /** Order and law. */
  public record Course(Order order, Law law) {
    /** As the product does it. */
    public static final Course PRODUCT = new Course(Order.TOGETHER, Law.QUEUE);

    /** With a memoryless law. */
    public static final Course MEMORYLESS = new Course(Order.TOGETHER, Law.EXPONENTIAL);
  }
}
