package org.braid.plan.manage;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.braid.placement.Topology;
import org.braid.plan.schedule.ScheduledRepair;

/**
 * Limits for the number of concurrent repairs.
 *
 * @param perNode repairs in which one node takes part
 * @param perUplink repairs that cross one rack's uplink, in either direction
 * @param inAll repairs on the whole cluster
 */
public record RepairBudgets(int perNode, int perUplink, int inAll) {
  public RepairBudgets {
    if (perNode < 1 || perUplink < 1 || inAll < 1) {
      throw new IllegalArgumentException(
          "budgets of %d repairs a node, %d an uplink and %d in all, needed are 1 or more"
              .formatted(perNode, perUplink, inAll));
    }
  }

  /** Budgets without a limit on the whole cluster. */
  public RepairBudgets(int perNode, int perUplink) {
    this(perNode, perUplink, Integer.MAX_VALUE);
  }

  /** The used part of the budgets. Not thread-safe. */
  static final class Taken {
    private final RepairBudgets budgets;
    private final Topology topology;
    private final int[] ofNode;
    private final int[] ofUplink;
    private int all;

    Taken(RepairBudgets budgets, Topology topology) {
      this.budgets = budgets;
      this.topology = topology;
      ofNode = new int[topology.nodes()];
      ofUplink = new int[topology.racks()];
    }

    /** A copy that changes independently. */
    Taken copy() {
      return on(topology);
    }

    /** A copy for a topology with further nodes at its end. */
    Taken on(Topology grown) {
      Taken copy = new Taken(budgets, grown);
      System.arraycopy(ofNode, 0, copy.ofNode, 0, ofNode.length);
      System.arraycopy(ofUplink, 0, copy.ofUplink, 0, ofUplink.length);
      copy.all = all;
      return copy;
    }

    /** Whether the budgets allow one more repair. */
    boolean fits(ScheduledRepair repair) {
      if (all >= budgets.inAll()) {
        return false;
      }
      for (int node : repair.nodes()) {
        if (node < ofNode.length && ofNode[node] >= budgets.perNode()) {
          return false;
        }
      }
      return uplinks(topology, repair).stream()
          .allMatch(rack -> ofUplink[rack] < budgets.perUplink());
    }

    void take(ScheduledRepair repair) {
      count(repair, 1);
    }

    void release(ScheduledRepair repair) {
      count(repair, -1);
    }

    private void count(ScheduledRepair repair, int change) {
      all += change;
      for (int node : repair.nodes()) {
        if (node < ofNode.length) {
          ofNode[node] += change;
        }
      }
      for (int rack : uplinks(topology, repair)) {
        ofUplink[rack] += change;
      }
    }

    /** Whether no repair can start, whatever its nodes. */
    boolean full() {
      return all >= budgets.inAll()
          || Arrays.stream(ofNode).allMatch(taken -> taken >= budgets.perNode());
    }
  }

  /**
   * The racks whose uplinks a repair crosses: all racks of its nodes if there are several, else
   * none.
   */
  static Set<Integer> uplinks(Topology topology, ScheduledRepair repair) {
    Set<Integer> racks = new TreeSet<>();
    boolean outside = false;
    for (int node : repair.nodes()) {
      if (node < topology.nodes()) {
        racks.add(topology.rackOf(node));
      } else {
        outside = true;
      }
    }
    return racks.size() > 1 || outside ? racks : Set.of();
  }
}
