package org.braid.plan.manage;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.braid.placement.Topology;

/**
 * How many repairs may run at once.
 *
 * @param perNode in which one node takes part
 * @param perUplink that cross one rack's uplink, in whatever direction
 * @param inAll on the whole cluster
 */
public record Budgets(int perNode, int perUplink, int inAll) {
  public Budgets {
    if (perNode < 1 || perUplink < 1 || inAll < 1) {
      throw new IllegalArgumentException(
          "budgets of %d repairs a node, %d an uplink and %d in all, needed are 1 or more"
              .formatted(perNode, perUplink, inAll));
    }
  }

  /** Budgets without a limit on the whole cluster. */
  public Budgets(int perNode, int perUplink) {
    this(perNode, perUplink, Integer.MAX_VALUE);
  }

  /** What is taken of the budgets. Not thread-safe. */
  static final class Taken {
    private final Budgets budgets;
    private final Topology topology;
    private final int[] ofNode;
    private final int[] ofUplink;
    private int all;

    Taken(Budgets budgets, Topology topology) {
      this.budgets = budgets;
      this.topology = topology;
      ofNode = new int[topology.nodes()];
      ofUplink = new int[topology.racks()];
    }

    /** The same for changing apart. */
    Taken copy() {
      Taken copy = new Taken(budgets, topology);
      System.arraycopy(ofNode, 0, copy.ofNode, 0, ofNode.length);
      System.arraycopy(ofUplink, 0, copy.ofUplink, 0, ofUplink.length);
      copy.all = all;
      return copy;
    }

    /** Whether there is room for one repair more. */
    boolean fits(Assignment assignment) {
      if (all >= budgets.inAll()) {
        return false;
      }
      for (int node : assignment.nodes()) {
        if (node < ofNode.length && ofNode[node] >= budgets.perNode()) {
          return false;
        }
      }
      return uplinks(topology, assignment).stream()
          .allMatch(rack -> ofUplink[rack] < budgets.perUplink());
    }

    void take(Assignment assignment) {
      count(assignment, 1);
    }

    void release(Assignment assignment) {
      count(assignment, -1);
    }

    private void count(Assignment assignment, int change) {
      all += change;
      for (int node : assignment.nodes()) {
        if (node < ofNode.length) {
          ofNode[node] += change;
        }
      }
      for (int rack : uplinks(topology, assignment)) {
        ofUplink[rack] += change;
      }
    }

    /** Whether nothing can start, whatever its nodes. */
    boolean full() {
      return all >= budgets.inAll()
          || Arrays.stream(ofNode).allMatch(taken -> taken >= budgets.perNode());
    }
  }

  /** The racks whose uplinks a repair crosses: all its racks, when it has several. */
  static Set<Integer> uplinks(Topology topology, Assignment assignment) {
    Set<Integer> racks = new TreeSet<>();
    boolean outside = false;
    for (int node : assignment.nodes()) {
      if (node < topology.nodes()) {
        racks.add(topology.rackOf(node));
      } else {
        outside = true;
      }
    }
    return racks.size() > 1 || outside ? racks : Set.of();
  }
}
